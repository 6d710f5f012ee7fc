import { bash, calls, watch } from '../lib/calls.mjs';
export default {
  settings: (ctx) => ({ hooks: watch(ctx, 'UserPromptSubmit', 'PreToolUse', 'Stop') }),
  args: ['--permission-mode', 'plan'],
  replies: { Stop: [{ code: 2, err: 'more' }, {}] },
  keep: { noResults: true, anyWords: true },
  model: calls(bash('ls')),
};
