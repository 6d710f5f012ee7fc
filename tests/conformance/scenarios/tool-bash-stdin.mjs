import { bash, calls } from '../lib/calls.mjs';
// a command that reads its input gets an end of file, not a wait
export default {
  settings: {},
  args: ['--allowedTools', 'Bash'],
  model: calls(bash('cat; echo "read $?"'), bash('read -r x; echo "[$x] $?"'), bash('[ -t 0 ] && echo tty || echo none')),
};
