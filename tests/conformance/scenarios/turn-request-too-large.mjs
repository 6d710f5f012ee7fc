// HTTP 413
export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }], StopFailure: [{ hooks: [{ type: 'command', command: hook('fail') }] }], PreCompact: [{ hooks: [{ type: 'command', command: hook('compact') }] }] } }),
  env: { CLAUDE_CODE_MAX_RETRIES: '0' },
  model: () => ({ error: { status: 413, type: 'request_too_large', message: 'Request exceeds the maximum size' } }),
};
