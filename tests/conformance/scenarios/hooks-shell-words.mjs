// $CLAUDE_PROJECT_DIR, quotes, pipes and relative paths in a command
export default {
  files: { 'gate.sh': '#!/bin/sh\necho "gate $1" >&2\n[ -e "../seen $1" ] && exit 0\ntouch "../seen $1"\nexit 2\n' },
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: 'sh "$CLAUDE_PROJECT_DIR"/gate.sh "a b" | cat; sh ./gate.sh second' }] }] } }),
  script: [{ text: 'one' }, { text: 'two' }],
};
