export default {
  settings: ({ hook }) => ({ hooks: { SessionStart: [{ hooks: [{ type: 'command', command: hook('s') }] }] } }),
  keep: { firstTold: ['from json'] },
  replies: { s: [{ out: { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'from json' } } }] },
  script: [{ text: 'one' }],
};
