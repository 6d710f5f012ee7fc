// the same command in two layers and two groups
export default {
  userSettings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('same') }] }] } }),
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('same') }, { type: 'command', command: hook('same'), timeout: 9 }, { type: 'command', command: `${hook('same')} ` }, { type: 'command', command: hook('same'), statusMessage: 'Checking' }] }] } }),
  localSettings: ({ hook }) => ({ hooks: { Stop: [{ matcher: '*', hooks: [{ type: 'command', command: hook('same') }] }] } }),
  script: [{ text: 'one' }],
};
