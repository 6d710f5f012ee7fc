export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }] } }),
  replies: { stop: [{ out: { decision: 'block', reason: '   ' } }, { out: { decision: 'block', reason: '' } }, { out: { hookSpecificOutput: { hookEventName: 'Stop', additionalContext: '' } } }] },
  script: [{ text: 'one' }, { text: 'two' }, { text: 'three' }, { text: 'four' }, { text: 'five' }],
};
