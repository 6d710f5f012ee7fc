import { bash, calls, read } from '../lib/calls.mjs';
import { on, probe, whole } from '../lib/probe.mjs';
// tool_response of PostToolBatch: text, an error, an image
export default {
  files: { 'a.txt': 'a\n', 'p.png': Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64') },
  settings: (ctx) => on({ PostToolBatch: probe(ctx, 'batch', (i) => ({ note: i.tool_calls.map((c) => [c.tool_name, typeof c.tool_response === 'string' ? c.tool_response : c.tool_response.map((x) => [x.type, x.source?.media_type])]) })) }),
  args: ['--allowedTools', 'Bash'],
  keep: { noResults: true },
  model: calls((p) => [bash('echo hi'), bash('echo no >&2; exit 3'), read('a.txt')(p), read('p.png')(p)]),
};
