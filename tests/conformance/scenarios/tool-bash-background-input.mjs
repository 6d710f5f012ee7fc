import { bash, calls } from '../lib/calls.mjs';
import { on, probe } from '../lib/probe.mjs';
// hooks around a background command
export default {
  settings: (ctx) => on({ PreToolUse: probe(ctx, 'pre', (i) => ({ note: i.tool_input })), PostToolUse: probe(ctx, 'post', (i) => ({ note: Object.keys(i.tool_response).sort() })) }),
  args: ['--allowedTools', 'Bash'],
  keep: { noResults: true, anyWords: true, order: true },
  side: (b) => b.messages.some((m) => m.role === 'assistant'),
  model: (b) => { const n = b.messages.filter((m) => m.role === 'assistant').length; return calls(bash('echo quick', { run_in_background: true }), bash('sleep 0.5'))(b, { main: (b.tools ?? []).length > 2, n }); },
};
