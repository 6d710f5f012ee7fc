export default {
  settings: ({ hook }) => ({ hooks: { StopFailure: ['rate_limit', 'server_error|rate_limit', 'server_error', '*', 'rate', '^rate'].map((matcher, i) => ({ matcher, hooks: [{ type: 'command', command: hook(`m${i}`) }] })) } }),
  env: { CLAUDE_CODE_MAX_RETRIES: '0' },
  script: [{ error: { status: 429, type: 'rate_limit_error', message: 'slow down' } }],
};
