// one blocks, the other gives context
export default {
  settings: ({ hook }) => ({ hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: hook('context') }, { type: 'command', command: hook('block') }] }], Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }], SessionEnd: [{ hooks: [{ type: 'command', command: hook('end') }] }] } }),
  replies: { context: [{ out: 'known: x' }], block: [{ out: { decision: 'block', reason: 'not today' } }] },
  script: [{ text: 'one' }],
};
