export default {
  userSettings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('user') }] }] } }),
  localSettings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('local') }] }] } }),
  settings: ({ hook }) => ({ permissions: { deny: ['Bash'] }, hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('project') }] }] } }),
  args: ['--setting-sources', 'user,local'],
  script: [{ text: 'one' }],
};
