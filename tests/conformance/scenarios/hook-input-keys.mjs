import { on, probe } from '../lib/probe.mjs';
import { bash } from '../lib/steps.mjs';
const keys = (i) => ({ note: [...Object.keys(i).sort(), ...(i.effort ? [`effort ${JSON.stringify(i.effort)}`] : [])] });
const events = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PermissionRequest', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch', 'Stop', 'SessionEnd'];
export default {
  settings: (ctx) => on(Object.fromEntries(events.map((e) => [e, probe(ctx, e, keys)]))),
  args: ['--allowedTools', 'Bash(echo *),Bash(exit *)'],
  keep: { order: true, noResults: true },
  script: [bash('echo hi'), bash('exit 3'), bash('touch a'), { text: 'finished' }],
};
