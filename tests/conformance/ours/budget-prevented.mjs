// a hook that ends the turn ends it, whatever is left of the budget and whoever blocks beside it
export default {
  args: ['--token-budget', '100k'],
  settings: ({ hook }) => ({
    hooks: { Stop: [{ hooks: ['a', 'b'].map((name) => ({ type: 'command', command: hook(name) })) }] },
  }),
  replies: { a: [{ out: { continue: false, stopReason: 'enough' } }], b: [{ code: 2, err: 'go on' }] },
  script: [{ text: 'one' }, { text: 'two' }],
};
