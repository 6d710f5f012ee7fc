import { bash, calls, fate } from '../lib/calls.mjs';
// a bare allow of Bash does not open the files that guard the session
export default {
  files: { fine: '{}\n' },
  settings: (ctx) => ({ hooks: fate(ctx) }),
  args: ['--allowedTools', 'Bash'],
  keep: { noResults: true },
  model: calls(bash('echo "{}" > .claude/settings.json'), bash('cp fine .claude/settings.local.json'), bash('cat fine | tee .claude/settings.json'), bash('sed -i s/a/b/ .claude/settings.json'), bash('rm .claude/settings.json'), bash('mv .claude/settings.json gone'), bash('touch .claude/settings.local.json'), bash('mkdir -p .claude/hooks'), bash('echo x > .claude/commands.md'), bash('rm -rf .claude'), bash('true && echo "{}" >> .claude/settings.json'), bash('cat .claude/settings.json'), bash('echo fine > other.txt')),
};
