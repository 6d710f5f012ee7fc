// hooks after a subagent's own call: block, context, and continue: false
export default {
  settings: ({ hook }) => ({ hooks: { PostToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: hook('post') }] }], Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }], SubagentStop: [{ hooks: [{ type: 'command', command: hook('substop') }] }] } }),
  args: ['--allowedTools', 'Bash'],
  replies: { post: [{ out: { decision: 'block', reason: 'look again' } }, { out: { continue: false, stopReason: 'enough' } }] },
  keep: { noResults: true, anyWords: true },
  model: (b, { main }) => {
    const all = JSON.stringify(b.messages);
    const first = JSON.stringify(b.messages[0]?.content ?? '');
    const done = (all.match(/"tool_result"/g) ?? []).length;
    if (first.includes('SUBTASK')) return done < 3 ? { text: `sub ${done}`, tools: [{ name: 'Bash', input: { command: `echo ${done}`, description: 'x' } }] } : { text: 'sub end' };
    if (!main) return { text: 'ok' };
    return done ? { text: 'main end' } : { tools: [{ name: 'Agent', input: { description: 'sub', prompt: 'SUBTASK go', subagent_type: 'general-purpose', run_in_background: false } }] };
  },
};
