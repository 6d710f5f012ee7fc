import { bash, calls, fate } from '../lib/calls.mjs';
// a deny rule of a command, and the command behind something else
export default {
  files: { x: 'x\n', list: 'x\n' },
  settings: (ctx) => ({ permissions: { deny: ['Bash(rm:*)'] }, hooks: fate(ctx) }),
  args: ['--allowedTools', 'Bash'],
  keep: { noResults: true },
  model: calls(bash('rm -f x'), bash('rm'), bash('rmdir nothing || true'), bash('X=1 rm -f x'), bash('timeout 5 rm -f x'), bash('nice rm -f x'), bash('command rm -f x'), bash('env rm -f x'), bash('/bin/rm -f x'), bash('xargs rm -f < list'), bash('nohup rm -f x'), bash('exec rm -f x')),
};
