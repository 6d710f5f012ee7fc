export default {
  keep: { anyWords: true },
  script: [{ text: 'half a sent', stop: 'max_tokens' }, { text: 'ence.' }],
};
