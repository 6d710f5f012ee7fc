export default {
  settings: ({ hook }) => ({ hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: hook('long') }] }] } }),
  keep: { firstTold: ['BEGIN', 'END-OF-IT'] },
  replies: { long: [{ out: `BEGIN ${'x '.repeat(8000)} END-OF-IT` }] },
  script: [{ text: 'one' }],
};
