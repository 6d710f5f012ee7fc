import { bash, calls } from '../lib/calls.mjs';
// an http gate before a call answers 403, 204 and 302
export default {
  settings: (ctx) => ({ hooks: { PreToolUse: [{ hooks: [{ type: 'http', url: ctx.httpUrl }] }], PostToolUse: [{ hooks: [{ type: 'command', command: ctx.hook('post') }] }] } }),
  args: ['--allowedTools', 'Bash'],
  http: (n) => [{ status: 403, body: { decision: 'block', reason: 'by 403' } }, { status: 204, body: '' }, { status: 302, body: {} }, { body: { decision: 'block', reason: 'by 200' } }][n],
  keep: { noResults: true },
  model: calls(bash('echo 0'), bash('echo 1'), bash('echo 2'), bash('echo 3')),
};
