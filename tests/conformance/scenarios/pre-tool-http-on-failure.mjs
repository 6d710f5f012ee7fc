import { bash, calls, watch } from '../lib/calls.mjs';
export default {
  http: (n) => [{ status: 500, body: 'x' }, { body: 'not json' }, { status: 200, body: '' }][n],
  settings: (ctx) => ({ hooks: { ...watch(ctx, 'PostToolUse'), PreToolUse: [{ hooks: [{ type: 'http', url: `${ctx.httpUrl}/gate`, onFailure: 'block' }] }] } }),
  args: ['--allowedTools', 'Bash'],
  keep: { noResults: true },
  model: calls(bash('echo a'), bash('echo b'), bash('echo c')),
};
