import { bash, calls, fate, read, write } from '../lib/calls.mjs';
export default {
  files: { a: 'x\n' },
  settings: (ctx) => ({ hooks: fate(ctx) }),
  args: ['--tools', 'Bash,Read,Glob,Grep', '--permission-mode', 'acceptEdits'],
  keep: { noResults: true },
  model: calls(read('a'), bash('mkdir b'), write('c')),
};
