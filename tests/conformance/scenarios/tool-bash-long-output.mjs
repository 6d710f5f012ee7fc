import { bash, calls } from '../lib/calls.mjs';
import { on, probe } from '../lib/probe.mjs';
// output beyond the limit: what hooks are given, and that the end of it is not lost
export default {
  settings: (ctx) => on({ PostToolUse: probe(ctx, 'post', (i) => ({ note: [i.tool_response.stdout.length > 20000, /line 1\b/.test(i.tool_response.stdout)] })) }),
  args: ['--allowedTools', 'Bash'],
  keep: { noResults: true },
  model: calls(bash('seq -f "line %g" 1 9000')),
};
