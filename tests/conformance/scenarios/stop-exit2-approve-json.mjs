export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }] } }),
  replies: { stop: [{ code: 2, out: { decision: 'approve' }, err: 'but no' }, {}] },
  script: [{ text: 'one' }, { text: 'two' }, { text: 'three' }],
};
