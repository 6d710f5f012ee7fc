import { bash, calls } from '../lib/calls.mjs';
// placeholders and variables in hook commands
export default {
  settings: ({ root }) => ({ hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'echo "A=${CLAUDE_PROJECT_DIR##*/} B=$CLAUDE_PROJECT_DIR" | sed "s#/tmp/[^ ]*/#ROOT/#g"' }, { type: 'command', command: 'echo "C=$HOME_NOT_SET D=$(basename "$PWD") E=${CLAUDE_PLUGIN_ROOT:-none}"' }, { type: 'command', command: 'printf', args: ['F=%s', '${CLAUDE_PROJECT_DIR}x$HOME'] }] }] } }),
  keep: { firstTold: ['A=proj', 'B=ROOT/proj', 'C= D=proj E=none', 'projx$HOME'] },
  script: [{ text: 'one' }],
};
