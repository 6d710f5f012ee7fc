// too long → compacted → blocked → too long again: the second time ends it, or it would go round for ever
const tooLong = {
  error: { status: 400, type: 'invalid_request_error', message: 'prompt is too long: 300000 tokens > 200000 maximum' },
};

export default {
  settings: ({ hook }) => ({
    hooks: Object.fromEntries(
      ['Stop', 'StopFailure', 'PreCompact', 'PostCompact'].map((event) => [
        event,
        [{ hooks: [{ type: 'command', command: hook(event.toLowerCase()) }] }],
      ]),
    ),
  }),
  env: { STOPGATE_MAX_RETRIES: '0' },
  keep: { order: true },
  replies: { stop: [{ code: 2, err: 'go on' }] },
  script: [{ text: 'one' }, tooLong, { text: 'a summary' }, { text: 'two' }, tooLong, { text: 'never asked' }],
};
