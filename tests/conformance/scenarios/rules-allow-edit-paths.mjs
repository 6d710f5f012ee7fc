import { bash, calls, fate, write, trusted } from '../lib/calls.mjs';
// an allow rule for Edit of one folder
export default {
  files: { 'src/a.txt': 'x\n', 'lib/a.txt': 'x\n' },
  settings: (ctx) => (trusted(ctx), { permissions: { allow: ['Edit(src/**)'] }, hooks: fate(ctx) }),
  keep: { noResults: true },
  model: calls(write('src/new.txt'), write('lib/new.txt'), write('src/../lib/b.txt'), bash('touch src/b.txt'), bash('echo y > src/c.txt')),
};
