import { bash, calls } from '../lib/calls.mjs';
import { on, probe } from '../lib/probe.mjs';
// env of the layers, numbers in it, and what a hook and a command see
export default {
  userSettings: { env: { A: 'user', B: 'user', N: 7 } },
  settings: (ctx) => ({ env: { B: 'project', C: 'project' }, ...on({ Stop: probe(ctx, 'stop', (i, { env }) => ({ note: [env.A, env.B, env.C, env.N, env.D] })) }) }),
  localSettings: { env: { C: 'local', D: '' } },
  args: ['--allowedTools', 'Bash'],
  model: calls(bash('echo "A=$A B=$B C=$C N=$N D=${D-unset}"')),
};
