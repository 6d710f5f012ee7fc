// an error after a nudge: Stop is not asked again, and nobody nudges
export default {
  args: ['--token-budget', '100k'],
  settings: ({ hook }) => ({
    hooks: {
      Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }],
      StopFailure: [{ hooks: [{ type: 'command', command: hook('fail') }] }],
    },
  }),
  env: { STOPGATE_MAX_RETRIES: '0' },
  replies: { stop: [{}], fail: [{}] },
  script: [{ text: 'one', out: 500 }, { error: { status: 529, type: 'overloaded_error', message: 'busy' } }],
};
