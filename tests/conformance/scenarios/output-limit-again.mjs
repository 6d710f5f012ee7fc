// the output limit three times over
export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }], StopFailure: [{ hooks: [{ type: 'command', command: hook('fail') }] }] } }),
  keep: { anyWords: true },
  script: [{ text: 'a', stop: 'max_tokens' }, { text: 'b', stop: 'max_tokens' }, { text: 'c', stop: 'max_tokens' }, { text: 'd', stop: 'max_tokens' }, { text: 'e', stop: 'max_tokens' }, { text: 'f' }],
};
