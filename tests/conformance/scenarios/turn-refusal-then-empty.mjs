// a refusal is continued once; what if nothing follows it?
export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }], StopFailure: [{ hooks: [{ type: 'command', command: hook('fail') }] }] } }),
  keep: { anyWords: true },
  script: [{ text: '', stop: 'refusal' }, { text: '' }, { text: '' }, { text: '' }],
};
