import { bash, calls, fate, trusted } from '../lib/calls.mjs';
// what an allow rule of a prefix lets through, and what may not hide behind it
export default {
  files: { a: 'x\n' },
  settings: (ctx) => (trusted(ctx), { permissions: { allow: ['Bash(touch ok:*)', 'Bash(mkdir exact)'] }, hooks: fate(ctx) }),
  keep: { noResults: true },
  model: calls(bash('touch ok'), bash('touch ok second'), bash('touch okay'), bash('touch other'), bash('touch ok && touch other'), bash('touch ok; mkdir exact'), bash('touch ok > out.txt'), bash('touch ok $(touch other)'), bash('touch ok `touch other`'), bash('X=1 touch ok'), bash('mkdir exact -p'), bash('mkdir exact2'), bash('timeout 5 touch ok')),
};
