import { bash, calls, watch } from '../lib/calls.mjs';
import { on, probe } from '../lib/probe.mjs';
// three calls at once, the second denied: the others run, one batch
export default {
  settings: (ctx) => ({ hooks: { ...watch(ctx, 'PostToolUse', 'PostToolUseFailure'), ...on({ PreToolUse: probe(ctx, 'pre', (i) => (i.tool_input.command === 'echo b' ? { note: 'denied', code: 2, err: 'not b' } : { note: 'let go' })), PostToolBatch: probe(ctx, 'batch', (i) => ({ note: (i.tool_calls ?? []).map((c) => [Object.keys(c).sort().join(), c.tool_name, c.tool_input?.command, typeof c.tool_response === 'string' ? c.tool_response : Object.keys(c.tool_response ?? {})]) })) }).hooks } }),
  args: ['--allowedTools', 'Bash'],
  model: calls([bash('echo a'), bash('echo b'), bash('exit 3')]),
};
