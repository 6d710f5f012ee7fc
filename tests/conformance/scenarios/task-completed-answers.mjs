import { calls, tool, watch } from '../lib/calls.mjs';
export default {
  settings: (ctx) => ({ hooks: watch(ctx, 'TaskCompleted', 'Stop') }),
  env: { CLAUDE_CODE_ENABLE_TODO_TOOLS: '1' },
  replies: { TaskCompleted: [{ out: { decision: 'block', reason: 'by word' } }, { out: { continue: false, stopReason: 'x' } }, { code: 1, err: 'odd' }] },
  keep: { noResults: true },
  model: calls(tool('TaskCreate', { subject: 'Fix', description: 'it' }), tool('TaskUpdate', { taskId: '1', status: 'completed' }), tool('TaskUpdate', { taskId: '1', status: 'completed' }), tool('TaskUpdate', { taskId: '1', status: 'completed' }), tool('TaskUpdate', { taskId: '9', status: 'completed' })),
};
