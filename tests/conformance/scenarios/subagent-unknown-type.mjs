import { calls, tool, watch } from '../lib/calls.mjs';
export default {
  settings: (ctx) => ({ hooks: watch(ctx, 'SubagentStart', 'SubagentStop', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure') }),
  keep: { noResults: true },
  model: calls(tool('Agent', { description: 'sub', prompt: 'SUBTASK go', subagent_type: 'nobody', run_in_background: false })),
};
