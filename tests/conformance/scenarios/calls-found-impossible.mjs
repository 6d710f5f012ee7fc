import { calls, read, tool, watch, write } from '../lib/calls.mjs';
const edit = (file, from, to, more) => (p) => tool('Edit', { file_path: `${p}/${file}`, old_string: from, new_string: to, replace_all: false, ...more });
// calls that a tool refuses before it starts: which of their hooks run
export default {
  files: { 'a.txt': 'one\ntwo\none\n', 'bin.dat': 'a\0b', 'dir/x': 'x' },
  settings: (ctx) => ({ hooks: watch(ctx, 'PreToolUse', 'PermissionRequest', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch') }),
  args: ['--permission-mode', 'acceptEdits', '--allowedTools', 'Grep', 'Glob'],
  keep: { noResults: true, anyWords: true, order: true },
  model: calls(read('a.txt'), edit('a.txt', 'one', 'uno'), edit('a.txt', 'none', 'x'), edit('a.txt', 'two', 'two'), edit('none.txt', 'a', 'b'), edit('a.txt', '', 'x'), edit('dir', 'a', 'b'), edit('bin.dat', 'a', 'c'), write('dir', 'x'), read('none.txt'), read('dir'), read('bin.dat'), (p) => tool('Grep', { pattern: '(', path: p }), (p) => tool('Grep', { pattern: 'x', path: `${p}/missing` }), (p) => tool('Glob', { pattern: '*', path: `${p}/missing` }), (p) => tool('Glob', { pattern: '*', path: `${p}/a.txt` }), () => tool('Bash', { command: '' }), () => tool('Agent', { description: 'd', prompt: 'p', subagent_type: 'none-such' })),
};
