import { bash, calls, fate, trusted } from '../lib/calls.mjs';
export default {
  settings: (ctx) => (trusted(ctx), { permissions: { allow: ['Bash(touch a*)', 'Bash(mkdir * made)', 'Bash(chmod *)', 'Bash(*--version)'] }, hooks: fate(ctx) }),
  keep: { noResults: true },
  model: calls(bash('touch a'), bash('touch ab c'), bash('touch b'), bash('mkdir -p made'), bash('mkdir made'), bash('mkdir -p made other'), bash('chmod 644 a'), bash('chmod'), bash('chmodx'), bash('node --version'), bash('touch a | touch b')),
};
