// hooks that fail in every way but do not block
export default {
  settings: ({ hook }) => ({ hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: hook('one') }, { type: 'command', command: hook('json') }, { type: 'command', command: hook('slow'), timeout: 1 }, { type: 'command', command: '/nonexistent/hook' }] }] } }),
  keep: { firstTold: ['from one', 'from slow', 'broken', 'e-one'] },
  replies: { one: [{ code: 1, out: 'from one', err: 'e-one' }], json: [{ out: '{"broken": }' }], slow: [{ out: 'from slow', sleep: 2 }] },
  script: [{ text: 'one' }],
};
