// the gate of the budget stands behind the hooks: they are asked at each stop, it only at those they allow
export default {
  args: ['--token-budget', '2k'],
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }] } }),
  keep: { order: true },
  replies: { stop: [{ code: 2, err: 'go on' }, {}] },
  script: ['one', 'two', 'three', 'four', 'five'].map((text) => ({ text, out: 500 })),
};
