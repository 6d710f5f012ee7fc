export default {
  settings: ({ root }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: '/bin/sh', args: ['-c', 'cat > "$1/hooks/call.0001.odd.json"; echo "it is $2" >&2; [ -e "$1/once" ] && exit 0; touch "$1/once"; exit 2', 'sh', root, 'a "b" $c'] }] }] } }),
  script: [{ text: 'one' }, { text: 'two' }],
  keep: { anyWords: true },
};
