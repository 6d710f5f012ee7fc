import { calls, tool, bash, watch } from '../lib/calls.mjs';
// ExitPlanMode headless: does it end the plan mode?
export default {
  settings: (ctx) => ({ permissions: { allow: ['Bash(touch *)'] }, hooks: watch(ctx, 'PermissionRequest', 'PostToolUse', 'PostToolUseFailure', 'Stop') }),
  args: ['--permission-mode', 'plan'],
  keep: { noResults: true, anyWords: true },
  model: calls(tool('ExitPlanMode', { plan: 'do it' })),
};
