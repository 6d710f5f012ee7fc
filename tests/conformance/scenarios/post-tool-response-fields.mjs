import { bash, calls, read, tool, write } from '../lib/calls.mjs';
import { on, probe } from '../lib/probe.mjs';
// tool_response of each tool, down to its values
export default {
  files: { 'a.txt': 'one\ntwo\nthree\n', 'b/c.txt': 'two\n' },
  settings: (ctx) => on({ PostToolUse: probe(ctx, 'post', (i) => ({ note: [i.tool_name, i.tool_response] })) }),
  args: ['--allowedTools', 'Bash', 'Write', 'Edit', 'Glob', 'Grep'],
  keep: { noResults: true, order: true },
  side: (b) => b.messages.some((m) => m.role === 'assistant'),
  model: (b) => { const n = b.messages.filter((m) => m.role === 'assistant').length; return calls(bash('echo out'), read('a.txt', { offset: 2, limit: 1 }), write('new.txt', 'n\n'), read('a.txt'), (p) => tool('Edit', { file_path: `${p}/a.txt`, old_string: 'two', new_string: 'zwei' }), write('a.txt', 'all new\n'))(b, { main: (b.tools ?? []).length > 2, n }); },
};
