import { bash, calls, fate, read } from '../lib/calls.mjs';
export default {
  files: { a: 'x\n' },
  settings: (ctx) => ({ permissions: { deny: ['Bash(*)', 'Read(*)'] }, hooks: fate(ctx) }),
  args: ['--allowedTools', 'Bash', 'Read'],
  keep: { noResults: true },
  model: calls(bash('echo a'), read('a')),
};
