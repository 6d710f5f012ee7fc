export default {
  keep: { noResults: true },
  script: [{ tools: [{ name: 'Nonsense', input: { a: 1 } }] }, { text: 'mended' }],
};
