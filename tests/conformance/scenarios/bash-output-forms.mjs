import { bash, calls } from '../lib/calls.mjs';
import { on, probe } from '../lib/probe.mjs';
// tool_response of Bash: both streams, trailing newlines, control characters, a binary, silence
export default {
  settings: (ctx) => on({ PostToolUse: probe(ctx, 'post', (i) => ({ note: [i.tool_input.command, i.tool_response] })) }),
  args: ['--allowedTools', 'Bash'],
  model: calls(bash('printf "a\\n\\n\\n"'), bash('echo out; echo err >&2'), bash('printf "\\033[1mbold\\033[0m"'), bash('printf "tab\\there\\r\\n"'), bash('mkdir made'), bash('cp /dev/null x'), bash('printf "\\xff\\xfe"'), bash('printf "  indented\\n  twice  \\n"')),
};
