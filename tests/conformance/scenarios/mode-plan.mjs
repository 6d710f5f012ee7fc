import { bash, calls, fate, read, write, trusted } from '../lib/calls.mjs';
export default {
  files: { a: 'x\n' },
  settings: (ctx) => (trusted(ctx), { permissions: { allow: ['Bash(touch *)', 'Write'] }, hooks: fate(ctx) }),
  args: ['--permission-mode', 'plan'],
  keep: { noResults: true, anyWords: true },
  model: calls(read('a'), bash('ls'), bash('touch b'), write('c'), bash('mkdir d')),
};
