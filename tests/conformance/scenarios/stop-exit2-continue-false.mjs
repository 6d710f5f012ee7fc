export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }] } }),
  replies: { stop: [{ code: 2, out: { continue: false, stopReason: 'halt' }, err: 'x' }] },
  script: [{ text: 'one' }, { text: 'two' }, { text: 'three' }],
};
