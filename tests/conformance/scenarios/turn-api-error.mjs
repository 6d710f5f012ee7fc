export default {
  env: { CLAUDE_CODE_MAX_RETRIES: '0' },
  script: [{ error: { status: 500, type: 'api_error', message: 'scripted' } }],
};
