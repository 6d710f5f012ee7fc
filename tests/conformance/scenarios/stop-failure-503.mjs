export default {
  settings: ({ hook }) => ({ hooks: { StopFailure: [{ hooks: [{ type: 'command', command: hook('fail') }] }] } }),
  env: { CLAUDE_CODE_MAX_RETRIES: '0' },
  script: [{ error: { status: 503, type: 'api_error', message: 'away' } }],
};
