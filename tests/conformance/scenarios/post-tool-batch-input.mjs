import { bash, calls, read, watch } from '../lib/calls.mjs';
import { on, probe } from '../lib/probe.mjs';
export default {
  files: { a: 'x\n' },
  settings: (ctx) => ({ permissions: { deny: ['Bash(touch *)'] }, hooks: { ...watch(ctx, 'PostToolUse'), ...on({ PostToolBatch: probe(ctx, 'batch', (i) => ({ note: [Object.keys(i).sort().join(), i.tool_calls.map((c) => [c.tool_name, typeof c.tool_response, Object.keys(c).sort().join()])] })) }).hooks } }),
  args: ['--allowedTools', 'Bash'],
  keep: { noResults: true },
  model: calls((p) => [bash('echo a'), read('a')(p), bash('exit 2'), bash('touch b')], bash('echo alone')),
};
