import { bash, calls } from '../lib/calls.mjs';
// a command that leaves the project does not take the session with it
export default {
  settings: {},
  args: ['--allowedTools', 'Bash'],
  keep: { anyWords: true },
  model: calls(bash('cd / && pwd'), bash('basename "$PWD"')),
};
