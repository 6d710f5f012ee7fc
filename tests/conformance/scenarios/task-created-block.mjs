import { calls, tool, watch } from '../lib/calls.mjs';
export default {
  settings: (ctx) => ({ hooks: watch(ctx, 'TaskCreated', 'TaskCompleted', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure') }),
  env: { CLAUDE_CODE_ENABLE_TODO_TOOLS: '1' },
  replies: { TaskCreated: [{ code: 2, err: 'too vague' }, { out: { decision: 'block', reason: 'still vague' } }, { out: { continue: false, stopReason: 'x' } }, {}] },
  keep: { noResults: true },
  model: calls(tool('TaskCreate', { subject: 'Fix', description: 'it' }), tool('TaskCreate', { subject: 'Fix', description: 'it' }), tool('TaskCreate', { subject: 'Fix', description: 'it' }), tool('TaskCreate', { subject: 'Fix 4', description: 'it' }), tool('TaskList', {})),
};
