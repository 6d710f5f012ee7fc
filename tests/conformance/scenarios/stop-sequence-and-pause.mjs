// pause_turn is continued, stop_sequence is an end
export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }] } }),
  keep: { anyWords: true },
  replies: { stop: [{ code: 2, err: 'more' }, {}] },
  script: [{ text: 'a', stop: 'stop_sequence' }, { text: 'b' }],
};
