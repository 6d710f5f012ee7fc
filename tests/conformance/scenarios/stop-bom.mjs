export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }] } }),
  replies: { stop: [{ out: '\ufeff{"decision":"block","reason":"marked"}' }, {}] },
  script: [{ text: 'one' }, { text: 'two' }, { text: 'three' }],
};
