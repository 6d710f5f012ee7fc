import { bash, calls, fate } from '../lib/calls.mjs';
// several rules in one argument, parted by commas or blanks
export default {
  settings: (ctx) => ({ hooks: fate(ctx) }),
  args: ['--allowedTools', 'Bash(touch a*),Bash(mkdir b*) Bash(touch c*)', 'Bash(chmod 644 a, b)'],
  keep: { noResults: true },
  model: calls(bash('touch a'), bash('mkdir b'), bash('touch c'), bash('chmod 644 a, b'), bash('touch d')),
};
