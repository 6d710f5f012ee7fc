export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }] } }),
  replies: { stop: [{ out: { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' } } }] },
  script: [{ text: 'one' }, { text: 'two' }, { text: 'three' }],
};
