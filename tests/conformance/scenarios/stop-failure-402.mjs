export default {
  settings: ({ hook }) => ({ hooks: { StopFailure: [{ hooks: [{ type: 'command', command: hook('fail') }] }] } }),
  env: { CLAUDE_CODE_MAX_RETRIES: '0' },
  script: [{ error: { status: 402, type: 'billing_error', message: 'pay first' } }],
};
