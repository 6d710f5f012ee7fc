export default {
  settings: ({ hook }) => ({ hooks: { SessionEnd: [{ matcher: 'other', hooks: [{ type: 'command', command: hook('other') }] }, { matcher: 'clear', hooks: [{ type: 'command', command: hook('clear') }] }] } }),
  env: { CLAUDE_CODE_MAX_RETRIES: '0' },
  script: [{ error: { status: 400, type: 'invalid_request_error', message: 'bad' } }],
};
