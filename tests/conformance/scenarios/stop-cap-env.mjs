export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }] } }),
  env: { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '2' },
  replies: { stop: [{ code: 2, err: 'again' }] },
  script: [{ text: 'one' }],
};
