export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }] } }),
  replies: { stop: [{ out: '{"decision":"block","reason":"carriage"}\r\n' }, {}] },
  script: [{ text: 'one' }, { text: 'two' }, { text: 'three' }],
};
