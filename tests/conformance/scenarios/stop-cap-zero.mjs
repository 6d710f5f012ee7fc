// 0 means that there is no cap
export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }] } }),
  env: { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '0' },
  replies: { stop: [...Array(11).fill({ code: 2, err: 'more' }), {}] },
  script: [{ text: 'one' }],
};
