export default {
  settings: ({ hook }) => ({ hooks: { PostToolUseFailure: [{ matcher: 'Bash', hooks: [{ type: 'command', command: hook('h') }] }] } }),
  args: ['--allowedTools', 'Bash'],
  replies: { h: [{ out: { hookSpecificOutput: { hookEventName: 'PostToolUseFailure', additionalContext: 'try make' } } }] },
  keep: { noResults: true },
  script: [{ tools: [{ name: 'Bash', input: { command: 'exit 3', description: 'fail' } }] }, { text: 'finished' }],
};
