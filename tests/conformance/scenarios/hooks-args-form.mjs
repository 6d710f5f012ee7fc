// exec form: no shell, blanks and quotes as they are, ${CLAUDE_PROJECT_DIR} filled in
export default {
  files: { 'gate.sh': '#!/bin/sh\nfor a in "$@"; do echo "[$a]" >&2; done\n[ -e ../seen ] && exit 0\ntouch ../seen\nexit 2\n' },
  settings: () => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: 'sh', args: ['${CLAUDE_PROJECT_DIR}/gate.sh', 'a b', '$HOME', '*', '', '"q"'] }] }] } }),
  script: [{ text: 'one' }, { text: 'two' }],
};
