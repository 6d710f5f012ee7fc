import { bash, calls, fate } from '../lib/calls.mjs';
// a deny rule of a command, and the command as a part of something larger
export default {
  files: { x: 'x\n' },
  settings: (ctx) => ({ permissions: { deny: ['Bash(rm *)'] }, hooks: fate(ctx) }),
  args: ['--allowedTools', 'Bash'],
  keep: { noResults: true },
  model: calls(bash('true; rm -f x'), bash('true | rm -f x'), bash('true\nrm -f x'), bash('(rm -f x)'), bash('{ rm -f x; }'), bash('! rm -f x'), bash('rm -f x &'), bash('echo $(rm -f x)'), bash('echo `rm -f x`'), bash('if true; then rm -f x; fi'), bash('for i in 1; do rm -f x; done'), bash('cat <(rm -f x)'), bash('f() { rm -f x; }; f'), bash('echo "rm -f x"'), bash('rm -f x # harmless')),
};
