export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop'), asyncRewake: true }] }] } }),
  limit: 25,
  replies: { stop: [{ code: 2, err: 'woken', sleep: 1.5 }, {}] },
  script: [{ text: 'one' }, { text: 'two' }],
};
