import { bash, calls, fate } from '../lib/calls.mjs';
// a deny rule of a command, and the same command in other letters
export default {
  files: { x: 'x\n' },
  settings: (ctx) => ({ permissions: { deny: ['Bash(rm *)', 'Bash(git push)'] }, hooks: fate(ctx) }),
  args: ['--allowedTools', 'Bash'],
  keep: { noResults: true },
  model: calls(bash('"rm" -f x'), bash("r'm' -f x"), bash('\\rm -f x'), bash('rm  -f   x'), bash(' rm -f x'), bash('rm\t-f x'), bash('rm -f \\\n x'), bash('git push --dry-run'), bash('git  push')),
};
