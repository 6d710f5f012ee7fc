export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }] } }),
  replies: { stop: [{ code: 2, out: '{oops}', err: 'still blocks' }, {}] },
  script: [{ text: 'one' }, { text: 'two' }, { text: 'three' }],
};
