export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }] } }),
  replies: { stop: [{ code: 2, err: 'more' }, {}] },
  script: [{ text: 'one' }, { text: '' }, { text: 'three' }],
};
