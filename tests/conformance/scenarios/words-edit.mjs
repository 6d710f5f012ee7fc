import { calls, read, tool, write } from '../lib/calls.mjs';
const edit = (file, from, to, more = {}) => (p) => tool('Edit', { file_path: `${p}/${file}`, old_string: from, new_string: to, ...more });
// what the model hears of Edit and Write, and of their failures
export default {
  files: { 'a.txt': 'one\ntwo\none\n', 'b.txt': 'b\n' },
  settings: {},
  args: ['--permission-mode', 'acceptEdits'],
  model: calls(edit('a.txt', 'one', 'uno'), write('b.txt', 'B\n'), read('a.txt'), edit('a.txt', 'one', 'uno'), edit('a.txt', 'none', 'x'), edit('a.txt', 'two', 'two'), edit('a.txt', 'two', 'dos'), edit('a.txt', 'one', 'uno', { replace_all: true }), edit('none.txt', 'a', 'b'), edit('new.txt', '', 'fresh\n'), edit('a.txt', '', 'x'), write('c.txt', 'c\n'), write('c.txt', 'c2\n'), read('b.txt'), write('b.txt', 'B\n')),
};
