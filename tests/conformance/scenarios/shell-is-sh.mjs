const gate = (n, command, more = {}) => ({ type: 'command', command: `test -e m${n} && exit 0; touch m${n}; ${command} >&2; exit 2`, ...more });
// which shell runs a command, with and without `shell`
export default {
  settings: () => ({ hooks: { Stop: [{ hooks: [gate(1, 'echo "a\\nb"'), gate(2, 'echo "c\\nd"', { shell: 'bash' }), gate(3, 'echo "v=${BASH_VERSION:+bash}"'), gate(4, '[[ a == a ]] && echo double')] }] } }),
  script: [{ text: 'one' }, { text: 'two' }],
};
