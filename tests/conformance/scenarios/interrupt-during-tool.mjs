import { bash, calls, watch } from '../lib/calls.mjs';
export default {
  settings: (ctx) => ({ hooks: watch(ctx, 'PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch', 'Stop', 'StopFailure', 'SessionEnd') }),
  args: ['--allowedTools', 'Bash'],
  signalAfter: 2,
  limit: 15,
  keep: { noResults: true },
  model: calls(bash('sleep 8')),
};
