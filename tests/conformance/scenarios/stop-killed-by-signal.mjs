export default {
  settings: { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'kill -9 $$' }] }] } },
  script: [{ text: 'one' }, { text: 'two' }],
};
