import { bash, calls, watch } from '../lib/calls.mjs';
import { on, probe } from '../lib/probe.mjs';
// continue: false on the second of two calls at once
export default {
  settings: (ctx) => ({ hooks: { ...watch(ctx, 'PostToolBatch', 'Stop'), ...on({ PreToolUse: probe(ctx, 'pre', (i) => (i.tool_input.command === 'echo b' ? { note: 'stopped', out: { continue: false, stopReason: 'enough' } } : { note: 'let go' })) }).hooks } }),
  args: ['--allowedTools', 'Bash'],
  keep: { noResults: true },
  model: calls([bash('echo a'), bash('echo b')]),
};
