import { bash, calls, fate, write } from '../lib/calls.mjs';
// a deny rule for Edit holds for Write, and for commands that write there
export default {
  files: { 'src/a.txt': 'x\n', 'lib/a.txt': 'x\n' },
  settings: (ctx) => ({ permissions: { deny: ['Edit(src/**)'] }, hooks: fate(ctx) }),
  args: ['--allowedTools', 'Bash', 'Edit', 'Write', 'Read'],
  keep: { noResults: true },
  model: calls(write('src/new.txt'), write('lib/new.txt'), bash('echo y > src/a.txt'), bash('touch src/b.txt'), bash('cp lib/a.txt src/c.txt'), bash('sed -i s/x/y/ src/a.txt'), bash('echo y | tee src/d.txt'), bash('mv lib/a.txt src/e.txt')),
};
