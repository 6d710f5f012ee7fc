import { bash, calls, fate, write } from '../lib/calls.mjs';
// files that acceptEdits does not open
export default {
  settings: (ctx) => ({ hooks: fate(ctx) }),
  args: ['--permission-mode', 'acceptEdits'],
  keep: { noResults: true },
  model: calls(write('.claude/settings.json', '{}'), write('.claude/settings.local.json', '{}'), write('.claude/commands/x.md'), write('.git/hooks/pre-commit'), write('.gitconfig'), write('.bashrc'), write('.mcp.json', '{}'), write('.vscode/settings.json', '{}'), write('../outside.txt'), write('fine.txt'), bash('touch .git/x'), bash('rm -rf .git'), bash('cp fine.txt .claude/settings.json')),
};
