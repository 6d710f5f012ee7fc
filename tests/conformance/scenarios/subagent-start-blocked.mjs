// exit 2 and continue: false of SubagentStart
export default {
  settings: ({ hook }) => ({ hooks: { SubagentStart: [{ hooks: [{ type: 'command', command: hook('start') }] }], SubagentStop: [{ hooks: [{ type: 'command', command: hook('substop') }] }] } }),
  replies: { start: [{ code: 2, err: 'no agents' }, { out: { continue: false, stopReason: 'stop it' } }] },
  keep: { noResults: true },
  model: (b, { main, n }) => {
    const first = JSON.stringify(b.messages[0]?.content ?? '');
    if (first.includes('SUBTASK')) return { text: 'sub end' };
    if (!main) return { text: 'ok' };
    const done = (JSON.stringify(b.messages).match(/tool_result/g) ?? []).length;
    return done >= 2 ? { text: 'main end' } : { tools: [{ name: 'Agent', input: { description: `sub ${done}`, prompt: `SUBTASK go ${done}`, subagent_type: 'general-purpose', run_in_background: false } }] };
  },
};
