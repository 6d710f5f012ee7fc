export default {
  settings: ({ hook }) => ({ hooks: { PermissionRequest: [{ matcher: 'Bash', hooks: [{ type: 'command', command: hook('p') }] }] } }),
  replies: { p: [{ out: { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } } } }] },
  script: [{ tools: [{ name: 'Bash', input: { command: 'touch made', description: 'make' } }] }, { text: 'finished' }],
};
