export default {
  settings: ({ hook }) => ({ hooks: { UserPromptExpansion: [{ hooks: [{ type: 'command', command: hook('expand') }] }], UserPromptSubmit: [{ hooks: [{ type: 'command', command: hook('submit') }] }], Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }] } }),
  prompt: '/nosuchcommand at all',
  script: [{ text: 'one' }],
};
