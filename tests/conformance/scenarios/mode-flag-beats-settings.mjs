import { calls, fate, trusted, write } from '../lib/calls.mjs';
export default {
  settings: (ctx) => (trusted(ctx), { permissions: { defaultMode: 'acceptEdits' }, hooks: fate(ctx) }),
  args: ['--permission-mode', 'default'],
  keep: { noResults: true },
  model: calls(write('a')),
};
