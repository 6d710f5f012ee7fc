export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }], StopFailure: [{ hooks: [{ type: 'command', command: hook('fail') }] }] } }),
  keep: { anyWords: true },
  script: [{ text: '' }, { text: '' }, { text: '' }, { text: 'four' }],
};
