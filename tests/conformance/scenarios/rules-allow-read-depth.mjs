import { calls, fate, trusted, write } from '../lib/calls.mjs';
// allow rules for Edit: what is anchored and what is not
export default {
  settings: (ctx) => (trusted(ctx), { permissions: { allow: ['Edit(src/**)', 'Edit(/top/*)', 'Edit(*.md)', 'Edit(lib/a.txt)'] }, hooks: fate(ctx) }),
  keep: { noResults: true },
  model: calls(write('src/a'), write('deep/src/a'), write('top/a'), write('top/b/c'), write('deep/top/a'), write('a.md'), write('deep/a.md'), write('lib/a.txt'), write('deep/lib/a.txt')),
};
