import { bash, calls, fate } from '../lib/calls.mjs';
// other spellings of the same places
export default {
  settings: (ctx) => ({ hooks: fate(ctx) }),
  args: ['--allowedTools', 'Bash'],
  keep: { noResults: true },
  model: calls(bash('d=.claude; touch $d/x'), bash('touch ./.claude/../.claude/y'), bash('ln -s .claude link && touch link/v')),
};
