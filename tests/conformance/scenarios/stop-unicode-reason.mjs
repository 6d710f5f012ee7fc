export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }] } }),
  replies: { stop: [{ out: { decision: 'block', reason: 'größer — 完了 ✅' } }, {}] },
  script: [{ text: 'one' }, { text: 'two' }, { text: 'three' }],
};
