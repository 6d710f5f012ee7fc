export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }] } }),
  replies: { stop: [{ code: 1, out: { decision: 'block', reason: 'json decides' } }, {}] },
  script: [{ text: 'one' }, { text: 'two' }, { text: 'three' }],
};
