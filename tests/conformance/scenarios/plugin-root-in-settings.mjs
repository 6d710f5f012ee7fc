import { hooksOn } from '../lib/steps.mjs';
const gate = (command, more = {}) => ({ hooks: [{ type: 'command', command, ...more }] });
// a plugin's placeholder in a settings file names nothing: the hook is not started
export default {
  settings: ({ hook }) => ({ hooks: { Stop: [
    gate(': "${CLAUDE_PLUGIN_ROOT}"; touch root; exit 2'),
    gate('${CLAUDE_PLUGIN_DATA}/x; touch data; exit 2'),
    gate('echo "$CLAUDE_PLUGIN_ROOT"; touch bare; echo bare >&2; exit 2'),
    gate('sh', { args: ['-c', 'touch args; echo args ${CLAUDE_PLUGIN_ROOT} >&2; exit 2'] }),
    gate('touch unknown; echo "u=${CLAUDE_NOTHING}" >&2; exit 2'),
    gate('touch project; test -d "${CLAUDE_PROJECT_DIR}" && echo project >&2; exit 2'),
    gate('echo ${user_config.x}; touch config; echo config >&2; exit 2'),
    { hooks: [{ type: 'command', command: hook('files') }] },
  ] } }),
  env: { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '2' },
  replies: { files: [{}] },
  script: [{ text: 'one' }, { text: 'two' }, { text: 'three' }, { text: 'four' }],
};
