import { calls, fate, write } from '../lib/calls.mjs';
// a bare allow rule and the files that guard the session
export default {
  settings: (ctx) => ({ hooks: fate(ctx) }),
  args: ['--allowedTools', 'Write'],
  keep: { noResults: true },
  model: calls(write('.claude/settings.json', '{}'), write('.git/hooks/pre-commit'), write('.bashrc'), write('../outside.txt'), write('fine.txt')),
};
