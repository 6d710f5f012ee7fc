import { bash, calls, watch } from '../lib/calls.mjs';
const made = calls(bash('echo a'));
// an API error in the middle of the turn
export default {
  settings: (ctx) => ({ hooks: watch(ctx, 'PostToolUse', 'PostToolBatch', 'Stop', 'StopFailure', 'SessionEnd') }),
  args: ['--allowedTools', 'Bash'],
  env: { CLAUDE_CODE_MAX_RETRIES: '0' },
  model: (b, at) => (at.main && at.n === 1 ? { error: { status: 500, type: 'api_error', message: 'broken' } } : made(b, at)),
};
