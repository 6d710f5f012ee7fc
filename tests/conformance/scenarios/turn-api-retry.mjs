export default {
  limit: 60,
  env: { CLAUDE_CODE_MAX_RETRIES: '3' },
  script: [{ error: { status: 529, type: 'overloaded_error', message: 'busy' } }, { text: 'after a retry' }],
};
