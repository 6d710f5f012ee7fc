// --max-budget-usd is spent while a Stop hook sends the turn back
export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }], StopFailure: [{ hooks: [{ type: 'command', command: hook('failure') }] }], SessionEnd: [{ hooks: [{ type: 'command', command: hook('end') }] }] } }),
  args: ['--model', 'claude-sonnet-4-5', '--max-budget-usd', '0.02'],
  replies: { stop: [{ code: 2, err: 'more' }] },
  script: [{ text: 'one', out: 1000 }, { text: 'two', out: 1000 }, { text: 'three', out: 1000 }],
};
