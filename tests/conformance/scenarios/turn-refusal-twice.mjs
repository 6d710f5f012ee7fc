export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }], StopFailure: [{ hooks: [{ type: 'command', command: hook('fail') }] }] } }),
  replies: { stop: [{}] },
  script: [{ text: 'I will not', stop: 'refusal' }, { text: 'Again not', stop: 'refusal' }],
};
