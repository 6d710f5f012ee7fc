import { bash, calls, read, tool } from '../lib/calls.mjs';
import { on, probe } from '../lib/probe.mjs';
// what PostToolUseFailure is given
export default {
  settings: (ctx) => on({ PostToolUseFailure: probe(ctx, 'failed', (i) => ({ note: [i.tool_name, i.is_interrupt, typeof i.error, Object.keys(i).sort().join()] })) }),
  args: ['--allowedTools', 'Bash', 'Edit'],
  keep: { noResults: true, order: true },
  model: calls(bash('echo out; echo err >&2; exit 3'), bash('sleep 5', { timeout: 500 }), read('nothing.txt'), bash('kill -9 $$')),
};
