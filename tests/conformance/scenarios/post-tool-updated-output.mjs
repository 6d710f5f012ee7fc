export default {
  settings: ({ hook }) => ({ hooks: { PostToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: hook('h') }] }] } }),
  args: ['--allowedTools', 'Bash'],
  replies: { h: [{ out: { hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: { stdout: 'replaced', stderr: '', interrupted: false, isImage: false } } } }] },
  script: [{ tools: [{ name: 'Bash', input: { command: 'echo hi', description: 'say hi' } }] }, { text: 'finished' }],
};
