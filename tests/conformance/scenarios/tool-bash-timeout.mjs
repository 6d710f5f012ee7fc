import { bash, calls, watch } from '../lib/calls.mjs';
// a command that runs longer than the time it asked for
export default {
  settings: (ctx) => ({ hooks: watch(ctx, 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch') }),
  args: ['--allowedTools', 'Bash,Skill'],
  keep: { noResults: true, anyWords: true },
  model: calls(bash('echo begun; sleep 5; echo over', { timeout: 1000 })),
};
