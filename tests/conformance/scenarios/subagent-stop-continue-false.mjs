// a SubagentStop hook ends the subagent, not the turn around it
export default {
  settings: ({ hook }) => ({ hooks: { SubagentStop: [{ hooks: [{ type: 'command', command: hook('substop') }] }], Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }] } }),
  keep: { noResults: true },
  replies: { substop: [{ out: { continue: false, stopReason: 'enough' } }], stop: [{}] },
  model: (b) => {
    const names = (b.tools || []).map((t) => t.name);
    const first = JSON.stringify(b.messages[0].content);
    if (first.includes('SUBTASK')) return { text: 'sub answer ' + b.messages.length };
    const t = names.includes('Agent') ? 'Agent' : 'Task';
    if (!names.length) return { text: 'ok' };
    return b.messages.length < 3 ? { tools: [{ name: t, input: { description: 'sub', prompt: 'SUBTASK go', subagent_type: 'general-purpose', run_in_background: false } }] } : { text: 'main end' };
  },
};
