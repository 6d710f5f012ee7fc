export default {
  http: () => ({ body: '' }),
  settings: ({ httpUrl }) => ({ hooks: { Stop: [{ hooks: [{ type: 'http', url: httpUrl + '/gate' }] }] } }),
  script: [{ text: 'one' }, { text: 'two' }],
};
