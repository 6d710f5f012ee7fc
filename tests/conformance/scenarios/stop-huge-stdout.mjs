// a megabyte before the verdict, and a verdict of its own
export default {
  settings: ({ hook, root }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: `head -c 1200000 /dev/zero | tr '\\0' x; exit 0` }, { type: 'command', command: `head -c 1200000 /dev/zero | tr '\\0' y >&2; echo; echo '{"decision":"block","reason":"still read"}'; [ -e ${root}/once ] && exit 0; touch ${root}/once` }, { type: 'command', command: hook('plain') }] }] } }),
  env: { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '1' },
  keep: { anyWords: false },
  script: [{ text: 'one' }, { text: 'two' }],
};
