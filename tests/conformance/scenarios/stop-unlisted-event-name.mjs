export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }] } }),
  replies: { stop: [{ out: { decision: 'block', reason: 'r', hookSpecificOutput: { hookEventName: 'Nonsense' } } }] },
  script: [{ text: 'one' }, { text: 'two' }, { text: 'three' }],
};
