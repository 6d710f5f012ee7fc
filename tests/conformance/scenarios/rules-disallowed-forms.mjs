import { bash, calls, fate, read, write } from '../lib/calls.mjs';
// a bare name takes the tool away, a rule with a specifier leaves it
export default {
  files: { a: 'x\n' },
  settings: (ctx) => ({ permissions: { deny: ['Read'] }, hooks: fate(ctx) }),
  args: ['--allowedTools', 'Bash,Write', '--disallowedTools', 'Write,Bash(touch *)'],
  keep: { noResults: true },
  model: calls(write('made'), read('a'), bash('touch b'), bash('echo c')),
};
