// a hook that answers and leaves a child holding its output
export default {
  settings: ({ root }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: `[ -e ${root}/seen ] && exit 0; touch ${root}/seen; (sleep 4 &) ; echo not yet >&2; exit 2` }] }] } }),
  script: [{ text: 'one' }, { text: 'two' }],
};
