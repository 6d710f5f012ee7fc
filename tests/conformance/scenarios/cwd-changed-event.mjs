import { bash, calls } from '../lib/calls.mjs';
import { on, probe } from '../lib/probe.mjs';
export default {
  files: { 'sub/a.txt': 'x\n' },
  settings: (ctx) => on({ CwdChanged: probe(ctx, 'cwd', (i) => ({ note: [Object.keys(i).sort().join(), i.old_cwd, i.new_cwd, i.cwd] })), PreToolUse: probe(ctx, 'pre', (i, { cwd }) => ({ note: [i.cwd, cwd] })), Stop: probe(ctx, 'stop', (i, { cwd, env }) => ({ note: [i.cwd, cwd, env.CLAUDE_PROJECT_DIR] })) }),
  args: ['--allowedTools', 'Bash'],
  keep: { noResults: true, anyWords: true },
  model: calls(bash('cd sub'), bash('pwd'), bash('cd ..')),
};
