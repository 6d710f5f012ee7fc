// a nudge is no progress: blocks before and after it are in a row
export default {
  args: ['--token-budget', '100k'],
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }] } }),
  env: { STOPGATE_STOP_HOOK_BLOCK_CAP: '2' },
  keep: { order: true },
  replies: { stop: [{ code: 2, err: 'never' }, {}, { code: 2, err: 'never' }] },
  script: ['one', 'two', 'three', 'four', 'five'].map((text) => ({ text, out: 500 })),
};
