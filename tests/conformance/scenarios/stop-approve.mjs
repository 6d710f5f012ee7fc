export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }] } }),
  replies: { stop: [{ out: { decision: 'approve', reason: 'fine' } }] },
  script: [{ text: 'one' }, { text: 'two' }, { text: 'three' }],
};
