import { bash, calls } from '../lib/calls.mjs';
// 0 sets no limit
export default {
  settings: {},
  args: ['--max-turns', '0', '--allowedTools', 'Bash'],
  model: calls(bash('echo 1'), bash('echo 2'), bash('echo 3')),
};
