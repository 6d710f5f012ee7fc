export default {
  settings: ({ hook }) => ({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: hook('yes') }, { type: 'command', command: hook('no') }] }] } }),
  args: ['--allowedTools', 'Bash'],
  replies: { yes: [{ out: { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } } }], no: [{ out: { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'no' } } }] },
  script: [{ tools: [{ name: 'Bash', input: { command: 'echo hi', description: 'say hi' } }] }, { text: 'finished' }],
};
