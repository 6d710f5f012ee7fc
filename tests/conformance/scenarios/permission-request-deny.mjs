export default {
  settings: ({ hook }) => ({ hooks: { PermissionRequest: [{ matcher: 'Bash', hooks: [{ type: 'command', command: hook('p') }] }] } }),
  keep: { noResults: true },
  replies: { p: [{ out: { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'deny', message: 'never' } } } }] },
  script: [{ tools: [{ name: 'Bash', input: { command: 'touch made', description: 'make' } }] }, { text: 'finished' }],
};
