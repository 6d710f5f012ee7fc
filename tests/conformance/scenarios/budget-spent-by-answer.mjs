// the last answer itself uses up the budget: no tool was asked for
export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }], StopFailure: [{ hooks: [{ type: 'command', command: hook('fail') }] }] } }),
  args: ['--max-budget-usd', '1'],
  replies: { stop: [{ code: 2, err: 'more' }, {}] },
  script: [{ text: 'one', in: 900000, out: 100000 }, { text: 'two' }],
};
