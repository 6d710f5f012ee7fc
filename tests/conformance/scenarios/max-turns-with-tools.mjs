import { bash, calls, watch } from '../lib/calls.mjs';
// which events fire when the turns are used up by tools
export default {
  settings: (ctx) => ({ hooks: watch(ctx, 'PreToolUse', 'PostToolUse', 'PostToolBatch', 'Stop', 'StopFailure', 'SessionEnd') }),
  args: ['--allowedTools', 'Bash', '--max-turns', '1'],
  keep: { order: true },
  model: calls(bash('echo a'), bash('echo b')),
};
