// one hook ends the turn, one blocks, one adds context
export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: ['a', 'b', 'c'].map((name) => ({ type: 'command', command: hook(name) })) }] } }),
  replies: { a: [{ out: { decision: 'block', reason: 'go on' } }], b: [{ out: { hookSpecificOutput: { hookEventName: 'Stop', additionalContext: 'by the way' } } }], c: [{ out: { continue: false, stopReason: 'enough' } }] },
  script: [{ text: 'one' }, { text: 'two' }],
};
