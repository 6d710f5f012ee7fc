// SessionStart cannot block
export default {
  settings: ({ hook }) => ({ hooks: { SessionStart: [{ hooks: [{ type: 'command', command: hook('two') }, { type: 'command', command: hook('stop') }, { type: 'command', command: hook('block') }] }], Stop: [{ hooks: [{ type: 'command', command: hook('end') }] }] } }),
  keep: { firstTold: ['said two', 'said block', 'err two'] },
  replies: { two: [{ code: 2, out: 'said two', err: 'err two' }], stop: [{ out: { continue: false, stopReason: 'no start' } }], block: [{ out: { decision: 'block', reason: 'said block' } }] },
  script: [{ text: 'one' }],
};
