import { bash, calls } from '../lib/calls.mjs';
// an agent that takes the gate out of the settings while it works
export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }] } }),
  args: ['--allowedTools', 'Bash'],
  keep: { noResults: true, anyWords: true },
  replies: { stop: [{ code: 2, err: 'still here' }, {}] },
  model: calls(bash('echo "{}" > .claude/settings.json; sleep 2')),
};
