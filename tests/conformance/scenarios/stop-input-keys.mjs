import { on, probe } from '../lib/probe.mjs';
import { bash, calls } from '../lib/calls.mjs';
// everything that Stop, UserPromptSubmit, SessionStart and SessionEnd are given
const keys = (i) => ({ note: [Object.keys(i).sort().join(), i.permission_mode, i.background_tasks, i.session_crons, i.effort?.level !== undefined] });
export default {
  settings: (ctx) => on(Object.fromEntries(['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolBatch', 'Stop', 'SessionEnd'].map((e) => [e, probe(ctx, e, keys)]))),
  args: ['--allowedTools', 'Bash'],
  keep: { order: true, noResults: true },
  model: calls(bash('echo a')),
};
