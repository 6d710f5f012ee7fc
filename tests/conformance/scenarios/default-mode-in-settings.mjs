import { bash, calls, fate, write, trusted } from '../lib/calls.mjs';
export default {
  settings: (ctx) => (trusted(ctx), { permissions: { defaultMode: 'acceptEdits' }, hooks: fate(ctx) }),
  keep: { noResults: true },
  model: calls(write('a'), bash('mkdir b'), bash('chmod 644 a')),
};
