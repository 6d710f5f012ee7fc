export default {
  settings: ({ hook }) => ({ hooks: { PostToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: hook('post'), async: true }] }] } }),
  args: ['--allowedTools', 'Bash'],
  replies: { post: [{ out: { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'later' } } }, {}] },
  script: [{ tools: [{ name: 'Bash', input: { command: 'echo hi', description: 'say hi' } }] }, { tools: [{ name: 'Bash', input: { command: 'sleep 1', description: 'wait' } }] }, { text: 'finished' }],
};
