import { bash, calls, fate, trusted, write } from '../lib/calls.mjs';
// rules with a wildcard that happens to reach a guarded file
export default {
  settings: (ctx) => (trusted(ctx), { permissions: { allow: ['Bash(touch *)', 'Edit', 'Edit(**)'] }, hooks: fate(ctx) }),
  keep: { noResults: true },
  model: calls(bash('touch .git/y'), write('.vscode/z.json'), write('.claude/commands/c.md'), write('.claude/settings.json', '{}')),
};
