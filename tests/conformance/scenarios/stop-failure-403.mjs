export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }], StopFailure: [{ hooks: [{ type: 'command', command: hook('fail') }] }] } }),
  env: { CLAUDE_CODE_MAX_RETRIES: '0' },
  script: [{ error: { status: 403, type: 'permission_error', message: 'not yours' } }],
};
