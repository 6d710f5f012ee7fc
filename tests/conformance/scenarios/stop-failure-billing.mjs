export default {
  settings: ({ hook }) => ({ hooks: { StopFailure: [{ hooks: [{ type: 'command', command: hook('fail') }] }] } }),
  env: { CLAUDE_CODE_MAX_RETRIES: '0' },
  script: [{ error: { status: 400, type: 'invalid_request_error', message: 'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.' } }],
};
