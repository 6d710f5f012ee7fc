// a slow StopFailure hook is over before the process is, also one that runs beside it
export default {
  settings: ({ hook }) => ({
    hooks: {
      StopFailure: [
        {
          hooks: [
            { type: 'command', command: hook('slow') },
            { type: 'command', command: hook('beside'), async: true },
          ],
        },
      ],
    },
  }),
  env: { STOPGATE_MAX_RETRIES: '0' },
  replies: { slow: [{ sleep: 0.5 }], beside: [{ sleep: 1 }] },
  script: [{ error: { status: 429, type: 'rate_limit_error', message: 'slow down' } }],
};
