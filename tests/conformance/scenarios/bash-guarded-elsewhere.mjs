import { bash, calls, fate } from '../lib/calls.mjs';
// other guarded places, and the home's own settings (nothing here may harm where an agent does run it)
export default {
  files: { fine: 'x\n', '.git/config': '\n', '../home/.claude/x': 'x\n' },
  settings: (ctx) => ({ hooks: fate(ctx) }),
  args: ['--allowedTools', 'Bash'],
  keep: { noResults: true },
  model: calls(bash('echo x > .git/hooks'), bash('cp fine .git/config'), bash('echo x > .bashrc'), bash('echo x > .mcp.json'), bash('echo x > .gitconfig'), bash('mkdir -p .vscode && echo x > .vscode/tasks.json'), bash('echo "{}" > ~/.claude/settings.json'), bash('echo x > ~/.bashrc'), bash('echo x > ../outside.txt'), bash('rm -rf .git'), bash('rm -rf /nonexistent-oracle')),
};
