export default {
  settings: { hooks: { Stop: [{ hooks: [{ type: 'http', url: 'http://127.0.0.1:9/none' }] }] } },
  script: [{ text: 'one' }, { text: 'two' }],
};
