// both forms of a system prompt
export default {
  settings: {},
  args: ['--append-system-prompt', 'APPENDED-WORDS'],
  model: (b, { main }) => ({ text: main ? `appended ${JSON.stringify(b.system).includes('APPENDED-WORDS')}` : 'ok' }),
};
