// one approves, one blocks by word, one by exit code: the turn goes on with both reasons
export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('yes') }, { type: 'command', command: hook('word') }] }, { hooks: [{ type: 'command', command: hook('exit') }] }] } }),
  replies: { yes: [{ out: { decision: 'approve', reason: 'fine' } }], word: [{ out: { decision: 'block', reason: 'first' } }, {}], exit: [{ code: 2, err: 'second' }, {}] },
  script: [{ text: 'one' }, { text: 'two' }],
};
