// `continue` of another type
export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }] } }),
  replies: { stop: [{ out: { continue: 'false', decision: 'block', reason: 'text' } }, { out: { continue: 0, decision: 'block', reason: 'number' } }, {}] },
  script: [{ text: 'one' }, { text: 'two' }, { text: 'three' }],
};
