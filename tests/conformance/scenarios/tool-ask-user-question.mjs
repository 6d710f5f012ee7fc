import { calls, tool, watch } from '../lib/calls.mjs';
// a question to the person where there is none
export default {
  settings: (ctx) => ({ hooks: watch(ctx, 'PreToolUse', 'PermissionRequest', 'PostToolUse', 'PostToolUseFailure', 'Notification') }),
  keep: { noResults: true },
  model: calls(tool('AskUserQuestion', { questions: [{ question: 'Which?', header: 'Pick', multiSelect: false, options: [{ label: 'A', description: 'a' }, { label: 'B', description: 'b' }] }] })),
};
