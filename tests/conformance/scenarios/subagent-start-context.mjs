export default {
  settings: ({ hook }) => ({ hooks: { SubagentStart: [{ hooks: [{ type: 'command', command: hook('s') }] }] } }),
  keep: { noResults: true },
  replies: { s: [{ out: { hookSpecificOutput: { hookEventName: 'SubagentStart', additionalContext: 'hello sub' } } }] },
  model: (b) => {
    const text = JSON.stringify(b.messages);
    if (JSON.stringify(b.messages[0].content).includes('SUBTASK')) return { text: text.includes('hello sub') ? 'sub heard it' : 'sub heard nothing' };
    const t = (b.tools || []).map((x) => x.name).includes('Agent') ? 'Agent' : 'Task';
    if (!(b.tools || []).length) return { text: 'ok' };
    return b.messages.length < 3 ? { tools: [{ name: t, input: { description: 'sub', prompt: 'SUBTASK go', subagent_type: 'general-purpose', run_in_background: false } }] } : { text: text.includes('sub heard it') ? 'yes' : 'no' };
  },
};
