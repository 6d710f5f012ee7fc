export default {
  settings: ({ root }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: `[ -e ${root}/seen ] && exit 0; touch ${root}/seen; printf '{"decision":"block","reason":"a \\377 b \\\\u00e9"}'` }] }] } }),
  script: [{ text: 'one' }, { text: 'two' }],
};
