import { bash, calls, write } from '../lib/calls.mjs';
import { on, probe, whole } from '../lib/probe.mjs';
const events = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch', 'SessionEnd', 'Notification', 'MessageDisplay'];
// every field of these events with its value
export default {
  settings: (ctx) => on(Object.fromEntries(events.map((e) => [e, probe(ctx, e, whole)]))),
  args: ['--allowedTools', 'Bash(echo *)', 'Bash(exit *)', 'Write'],
  keep: { order: true, noResults: true },
  model: calls(bash('echo hi'), bash('exit 3'), write('made.txt')),
};
