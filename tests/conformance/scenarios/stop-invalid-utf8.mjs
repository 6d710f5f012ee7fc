export default {
  settings: ({ root }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: `[ -e ${root}/seen ] && exit 0; touch ${root}/seen; printf 'bad \\377\\376 bytes \\303\\251' >&2; exit 2` }] }] } }),
  script: [{ text: 'one' }, { text: 'two' }],
};
