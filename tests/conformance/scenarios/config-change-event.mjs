import { bash, calls, watch } from '../lib/calls.mjs';
// a tool edits the project's settings while the session runs; the hook has something to say to it
export default {
  settings: (ctx) => ({ hooks: watch(ctx, 'ConfigChange', 'PostToolUse', 'Stop') }),
  args: ['--allowedTools', 'Bash,Skill'],
  keep: { noResults: true },
  model: calls(bash("sed -i 's/^{/{\"x\":1,/' .claude/settings.json; sleep 4"), bash('sleep 2')),
};
