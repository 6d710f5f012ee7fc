// an answer cut at the output limit after a block is resumed first, then Stop is asked about the whole
export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }] } }),
  keep: { anyWords: true },
  replies: { stop: [{ code: 2, err: 'go on' }, {}] },
  script: [{ text: 'one' }, { text: 'half a sent', stop: 'max_tokens' }, { text: 'ence.' }],
};
