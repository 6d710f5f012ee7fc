import { calls, tool, watch } from '../lib/calls.mjs';
export default {
  settings: (ctx) => ({ permissions: { deny: ['Agent(Explore)'] }, hooks: watch(ctx, 'SubagentStart', 'SubagentStop') }),
  keep: { noResults: true },
  side: (b) => JSON.stringify(b.messages[0]).includes('SUBTASK'),
  model: (b, at) => (JSON.stringify(b.messages[0]).includes('SUBTASK') ? { text: 'sub' } : calls(tool('Agent', { description: 'sub', prompt: 'SUBTASK go', subagent_type: 'Explore', run_in_background: false }), tool('Agent', { description: 'sub', prompt: 'SUBTASK go', subagent_type: 'general-purpose', run_in_background: false }))(b, at)),
};
