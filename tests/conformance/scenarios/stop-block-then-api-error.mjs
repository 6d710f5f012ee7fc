// an API error after a block ends the turn: Stop is not asked again, StopFailure is told
export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }], StopFailure: [{ hooks: [{ type: 'command', command: hook('fail') }] }] } }),
  env: { CLAUDE_CODE_MAX_RETRIES: '0' },
  replies: { stop: [{ code: 2, err: 'go on' }], fail: [{ code: 2, err: 'ignored' }] },
  script: [{ text: 'one' }, { error: { status: 500, message: 'down' } }],
};
