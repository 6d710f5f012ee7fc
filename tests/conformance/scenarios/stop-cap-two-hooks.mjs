// the cap counts rounds, not hooks
export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('a') }, { type: 'command', command: hook('b') }] }] } }),
  env: { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '3' },
  replies: { a: [{ code: 2, err: 'a says no' }], b: [{ code: 2, err: 'b says no' }] },
  script: [{ text: 'one' }],
};
