export default {
  settings: ({ hook }) => ({ hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: hook('p') }] }] } }),
  replies: { p: [{ code: 2, err: 'not this' }] },
  script: [{ text: 'one' }],
};
