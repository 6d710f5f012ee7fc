import { bash, calls, fate, trusted } from '../lib/calls.mjs';
// rules that cannot be read: the readable ones hold
export default {
  settings: (ctx) => (trusted(ctx), { permissions: { deny: ['Bash(touch a', 'Bash(touch c*)', ''], allow: ['Bash(touch *)', 'Nonsense(x)'] }, hooks: fate(ctx) }),
  keep: { noResults: true },
  model: calls(bash('touch a'), bash('touch c'), bash('mkdir d')),
};
