// --max-turns counts the main agent's requests, not a subagent's
export default {
  args: ['--allowedTools', 'Bash', '--max-turns', '3'],
  settings: ({ hook }) => ({ hooks: { SubagentStop: [{ hooks: [{ type: 'command', command: hook('substop') }] }], Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }] } }),
  keep: { noResults: true },
  replies: { substop: [{}], stop: [{}] },
  model: (b) => {
    const names = (b.tools || []).map((t) => t.name);
    const first = JSON.stringify(b.messages[0].content);
    if (first.includes('SUBTASK')) return JSON.stringify(b.messages).split('"tool_result"').length < 5 ? { tools: [{ name: 'Bash', input: { command: 'echo ran', description: 'run' } }] } : { text: 'sub end' };
    const t = names.includes('Agent') ? 'Agent' : 'Task';
    if (!names.length) return { text: 'ok' };
    return b.messages.length < 3 ? { tools: [{ name: t, input: { description: 'sub', prompt: 'SUBTASK go', subagent_type: 'general-purpose', run_in_background: false } }] } : { text: 'main end' };
  },
};
