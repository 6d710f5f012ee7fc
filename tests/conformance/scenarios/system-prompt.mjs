export default {
  settings: {},
  args: ['--system-prompt', 'ONLY-WORDS', '--append-system-prompt', 'APPENDED-WORDS'],
  model: (b, { main }) => ({ text: main ? `only ${JSON.stringify(b.system).includes('ONLY-WORDS')} appended ${JSON.stringify(b.system).includes('APPENDED-WORDS')}` : 'ok' }),
};
