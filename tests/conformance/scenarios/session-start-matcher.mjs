export default {
  settings: ({ hook }) => ({ hooks: { SessionStart: [{ matcher: 'resume', hooks: [{ type: 'command', command: hook('s') }] }] } }),
  replies: { s: [{ out: 'hello' }] },
  script: [{ text: 'one' }],
};
