// continue: true, stopReason alone and suppressOutput change nothing
export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }] } }),
  replies: { stop: [{ out: { continue: true, stopReason: 'x', suppressOutput: true, decision: 'block', reason: 'go on' } }, { out: { continue: true, stopReason: 'x', suppressOutput: true } }] },
  script: [{ text: 'one' }, { text: 'two' }, { text: 'three' }],
};
