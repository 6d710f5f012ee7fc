import { bash, calls, fate, write } from '../lib/calls.mjs';
// what bypassPermissions does not open
export default {
  settings: (ctx) => ({ permissions: { deny: ['Edit(no/**)', 'Bash(touch no*)'] }, hooks: fate(ctx) }),
  env: { IS_SANDBOX: '1' },
  args: ['--permission-mode', 'bypassPermissions'],
  keep: { noResults: true },
  model: calls(write('.claude/settings.local.json', '{}'), write('.git/hooks/pre-commit'), write('.bashrc'), write('no/a'), bash('touch no'), bash('echo {} > .claude/other.json'), write('../outside.txt')),
};
