import { bash, calls, fate } from '../lib/calls.mjs';
// a deny rule for Read and commands that read the same file
export default {
  files: { 'secret.env': 'KEY=1\n', 'open.txt': 'x\n' },
  settings: (ctx) => ({ permissions: { deny: ['Read(*.env)'] }, hooks: fate(ctx) }),
  args: ['--allowedTools', 'Bash'],
  keep: { noResults: true },
  model: calls(bash('cat secret.env'), bash('cat open.txt'), bash('head -1 secret.env'), bash('grep KEY secret.env'), bash('cat < secret.env'), bash('sed -n p secret.env'), bash('cp secret.env copy.txt'), bash('cat open.txt secret.env'), bash('cat ./secret.env'), bash('cat "$PWD/secret.env"'), bash('wc -l secret.env')),
};
