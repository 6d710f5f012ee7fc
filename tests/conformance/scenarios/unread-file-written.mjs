import { bash, calls, fate, read, tool, write } from '../lib/calls.mjs';
const edit = (file, from, to) => (p) => tool('Edit', { file_path: `${p}/${file}`, old_string: from, new_string: to, replace_all: false });
// files that were not read, or changed since: which calls change them
export default {
  files: { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c1\nc2\n', 'd.txt': 'd\n', 'n.ipynb': JSON.stringify({ cells: [{ cell_type: 'code', id: 'c1', metadata: {}, source: 'x', outputs: [], execution_count: null }], metadata: {}, nbformat: 4, nbformat_minor: 5 }) },
  settings: (ctx) => ({ hooks: fate(ctx) }),
  args: ['--permission-mode', 'acceptEdits', '--allowedTools', 'Bash'],
  keep: { noResults: true, anyWords: true },
  model: calls(write('a.txt', 'A\n'), edit('b.txt', 'b', 'B'), read('c.txt'), bash('echo more >> c.txt'), edit('c.txt', 'c1', 'C1'), read('d.txt'), bash('echo more >> d.txt'), write('d.txt', 'D\n'), (p) => tool('NotebookEdit', { notebook_path: `${p}/n.ipynb`, cell_id: 'c1', new_source: 'y', edit_mode: 'replace' }), bash('cat a.txt b.txt c.txt d.txt')),
};
