// a judge that cannot be asked does not block
export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'prompt', prompt: 'Is it done?', timeout: 3 }, { type: 'command', command: hook('stop') }] }] } }),
  env: { CLAUDE_CODE_MAX_RETRIES: '0' },
  model: (b, { main, n }) => (main ? { text: `main ${n}` } : { error: { status: 400, type: 'invalid_request_error', message: 'no' } }),
};
