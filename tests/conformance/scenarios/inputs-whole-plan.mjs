import { bash, calls } from '../lib/calls.mjs';
import { on, probe, whole } from '../lib/probe.mjs';
const events = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolBatch', 'SessionEnd'];
// as inputs-whole, in plan mode and with another model
export default {
  settings: (ctx) => on(Object.fromEntries(events.map((e) => [e, probe(ctx, e, whole)]))),
  args: ['--permission-mode', 'plan', '--model', 'claude-haiku-4-5'],
  keep: { order: true, noResults: true, anyWords: true },
  model: calls(bash('ls')),
};
