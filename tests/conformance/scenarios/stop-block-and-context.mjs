export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('a') }, { type: 'command', command: hook('b') }] }] } }),
  replies: { a: [{ out: { decision: 'block', reason: 'not yet' } }, {}], b: [{ out: { hookSpecificOutput: { hookEventName: 'Stop', additionalContext: 'by the way' } }, sleep: 0.3 }, {}] },
  script: [{ text: 'one' }, { text: 'two' }, { text: 'three' }],
};
