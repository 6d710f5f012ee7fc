// a timeout of its own lets it take longer
export default {
  settings: ({ hook }) => ({ hooks: { SessionEnd: [{ hooks: [{ type: 'command', command: `sleep 2; ${hook('slow')}`, timeout: 5 }] }] } }),
  script: [{ text: 'one' }],
};
