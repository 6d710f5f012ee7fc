import { calls, tool, bash, watch } from '../lib/calls.mjs';
import { answer } from '../lib/steps.mjs';
// a PermissionRequest hook approves the plan: which mode do later hooks see?
export default {
  settings: (ctx) => ({ hooks: watch(ctx, 'PermissionRequest', 'PostToolUse', 'PostToolUseFailure', 'Stop') }),
  args: ['--permission-mode', 'plan'],
  keep: { noResults: true, anyWords: true },
  replies: { PermissionRequest: [answer('PermissionRequest', { decision: { behavior: 'allow' } }), {}] },
  model: calls(tool('ExitPlanMode', { plan: 'do it' }), bash('ls')),
};
