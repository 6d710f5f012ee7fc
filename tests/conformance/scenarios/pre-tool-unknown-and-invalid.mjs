import { bash, calls, tool, watch } from '../lib/calls.mjs';
// are hooks asked about a tool that is not there, or an input that cannot be read?
export default {
  settings: (ctx) => ({ hooks: watch(ctx, 'PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch') }),
  args: ['--allowedTools', 'Bash'],
  keep: { noResults: true, order: true },
  model: calls(tool('Nonsense', { a: 1 }), tool('Bash', { cmd: 'x' }), tool('Read', {}), [bash('echo a'), tool('Nonsense', {})]),
};
