// groups of the wrong shape beside a good one
export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('good') }] }, { matcher: 'x' }, null, { hooks: {} }], UserPromptSubmit: {}, SessionEnd: 'x' } }),
  script: [{ text: 'one' }],
};
