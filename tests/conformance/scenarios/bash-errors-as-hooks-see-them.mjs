import { bash, calls } from '../lib/calls.mjs';
import { on, probe } from '../lib/probe.mjs';
// error of PostToolUseFailure and tool_response of PostToolUse, for commands of each kind
export default {
  settings: (ctx) => on({ PostToolUseFailure: probe(ctx, 'failure', (i) => ({ note: [i.tool_input.command, i.error, i.is_interrupt] })), PostToolUse: probe(ctx, 'post', (i) => ({ note: [i.tool_input.command, i.tool_response] })) }),
  args: ['--allowedTools', 'Bash'],
  model: calls(bash('echo out; echo err >&2; exit 4'), bash('exit 1'), bash('false'), bash('grep nothing /dev/null'), bash('diff <(echo a) <(echo b)'), bash('sleep 5', { timeout: 1000 }), bash('printf "no newline"'), bash('echo err >&2'), bash('test -f none')),
};
