export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }] } }),
  replies: { stop: [{ out: { decision: 5, reason: [] } }] },
  script: [{ text: 'one' }, { text: 'two' }, { text: 'three' }],
};
