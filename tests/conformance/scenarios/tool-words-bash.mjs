import { bash, calls } from '../lib/calls.mjs';
// what the model hears of commands
export default {
  settings: {},
  args: ['--allowedTools', 'Bash'],
  model: calls(bash('true'), bash('echo out; echo err >&2'), bash('exit 3'), bash('echo out; exit 1'), bash('echo err >&2; exit 1'), bash('printf "a\\n\\n\\nb\\n\\n"'), bash('printf "  lead"'), bash('nosuchcommand 2>&1 | sed "s/.*: //"; exit 127'), bash('printf "\\033[31mred\\033[0m"')),
};
