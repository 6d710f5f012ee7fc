export default {
  settings: ({ hook }) => ({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: hook('h') }] }] } }),
  args: ['--allowedTools', 'Bash'],
  replies: { h: [{ out: { continue: false, stopReason: 'enough' } }] },
  script: [{ tools: [{ name: 'Bash', input: { command: 'echo hi', description: 'say hi' } }] }, { text: 'finished' }],
};
