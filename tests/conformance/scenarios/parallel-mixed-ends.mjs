import { on, probe } from '../lib/probe.mjs';
import { bash, calls, tool } from '../lib/calls.mjs';
// one answer with calls that run, fail, are denied, unknown or malformed: which hooks see which, and with one id
const ids = (i, { fs }) => { return { note: [i.hook_event_name, i.tool_name, i.tool_input, i.error] }; };
export default {
  settings: (ctx) => on({ PreToolUse: probe(ctx, 'pre', (i) => (/denied/.test(i.tool_input.command) ? { note: 'denies', code: 2, err: 'no' } : { note: i.tool_input })), PostToolUse: probe(ctx, 'post', (i) => ({ note: i.tool_input })), PostToolUseFailure: probe(ctx, 'failed', (i) => ({ note: [i.tool_input, i.error, i.is_interrupt] })), PostToolBatch: probe(ctx, 'batch', (i) => ({ note: i.tool_calls.map((c) => [c.tool_name, c.tool_input, typeof c.tool_response, Object.keys(c).sort().join()]) })) }),
  args: ['--allowedTools', 'Bash'],
  keep: { noResults: true },
  model: calls(() => [bash('echo ok'), bash('exit 7'), bash('echo denied'), tool('NoSuchTool', { a: 1 }), tool('Bash', { cmd: 'x' }), bash('echo out; echo err >&2; exit 2')]),
};
