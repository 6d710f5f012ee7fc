import { calls, tool } from '../lib/calls.mjs';
import { on, probe } from '../lib/probe.mjs';
// tool_response of Grep and Glob
export default {
  files: { 'a.txt': 'one\ntwo\nthree\n', 'b/c.txt': 'two\n' },
  settings: (ctx) => on({ PostToolUse: probe(ctx, 'post', (i) => ({ note: [i.tool_name, { ...i.tool_response, durationMs: undefined }] })) }),
  args: ['--allowedTools', 'Glob', 'Grep'],
  keep: { order: true },
  model: calls((p) => tool('Grep', { pattern: 'two', path: p, glob: 'a*.txt' }), (p) => tool('Grep', { pattern: 'two', path: `${p}/a.txt`, output_mode: 'content', '-n': true, '-A': 1 }), (p) => tool('Grep', { pattern: 'two', path: p, output_mode: 'count', glob: 'a*.txt' }), (p) => tool('Grep', { pattern: 'none', path: `${p}/b` }), (p) => tool('Glob', { pattern: '**/c.txt', path: p }), (p) => tool('Glob', { pattern: '*.none', path: p })),
};
