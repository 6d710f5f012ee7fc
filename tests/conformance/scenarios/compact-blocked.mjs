// PreCompact that blocks a recovery
export default {
  settings: ({ hook }) => ({ hooks: { PreCompact: [{ hooks: [{ type: 'command', command: hook('compact') }] }], PostCompact: [{ hooks: [{ type: 'command', command: hook('post') }] }], Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }], StopFailure: [{ hooks: [{ type: 'command', command: hook('fail') }] }] } }),
  args: ['--allowedTools', 'Bash'],
  keep: { anyWords: true, noResults: true },
  side: (b) => JSON.stringify(b.messages.at(-1)).includes('summary'),
  env: { CLAUDE_CODE_MAX_RETRIES: '0' },
  replies: { compact: [{ code: 2, err: 'keep it all' }] },
  model: (b, { main, n }) => (!main ? { text: '<summary>All was well.</summary>' } : n === 0 ? { text: 'a', tools: [{ name: 'Bash', input: { command: 'echo hi', description: 'x' } }] } : n === 1 ? { error: { status: 400, type: 'invalid_request_error', message: 'prompt is too long: 300000 tokens > 200000 maximum' } } : { text: 'after' }),
};
