// SessionEnd has a budget of its own
export default {
  settings: ({ hook }) => ({ hooks: { SessionEnd: [{ hooks: [{ type: 'command', command: `sleep 0.3; ${hook('quick')}` }, { type: 'command', command: `sleep 3; ${hook('slow')}` }] }] } }),
  replies: { quick: [{ code: 2, err: 'ignored' }] },
  script: [{ text: 'one' }],
};
