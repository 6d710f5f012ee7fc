// context that never ends counts against the cap as a block does
export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }] } }),
  env: { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '2' },
  replies: { stop: [{ out: { hookSpecificOutput: { hookEventName: 'Stop', additionalContext: 'by the way' } } }] },
  script: [{ text: 'one' }],
};
