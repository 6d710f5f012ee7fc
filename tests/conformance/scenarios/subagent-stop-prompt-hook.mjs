// a prompt hook as the judge of a subagent's end
let judged = 0;
export default {
  settings: ({ hook }) => ({ hooks: { SubagentStop: [{ hooks: [{ type: 'prompt', prompt: 'JUDGE $ARGUMENTS' }] }], Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }] } }),
  keep: { noResults: true },
  model: (b, { main }) => {
    const all = JSON.stringify(b.messages);
    if (all.includes('JUDGE')) return { text: judged++ === 0 ? '{"ok": false, "reason": "sub is not done"}' : '{"ok": true}' };
    const first = JSON.stringify(b.messages[0]?.content ?? '');
    if (first.includes('SUBTASK')) return { text: all.includes('sub is not done') ? 'sub again' : 'sub end' };
    if (!main) return { text: 'ok' };
    return all.includes('tool_result') ? { text: 'main end' } : { tools: [{ name: 'Agent', input: { description: 'sub', prompt: 'SUBTASK go', subagent_type: 'general-purpose', run_in_background: false } }] };
  },
};
