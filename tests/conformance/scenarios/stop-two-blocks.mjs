export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('a') }, { type: 'command', command: hook('b') }] }] } }),
  replies: { a: [{ code: 2, err: 'first' }, {}], b: [{ code: 2, err: 'second', sleep: 0.3 }, {}] },
  script: [{ text: 'one' }, { text: 'two' }, { text: 'three' }],
};
