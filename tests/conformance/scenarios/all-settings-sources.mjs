export default {
  userSettings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('user') }] }] } }),
  localSettings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('local') }] }] } }),
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('project') }] }] } }),
  args: ({ hook }) => ['--settings', JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('flag') }] }] } })],
  replies: { user: [{}], local: [{}], project: [{}], flag: [{}] },
  script: [{ text: 'one' }],
};
