import { bash, calls } from '../lib/calls.mjs';
// PermissionRequest over http: allow, deny, 500, garbage
const d = (behavior, message) => ({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior, message } } });
export default {
  settings: (ctx) => ({ hooks: { PermissionRequest: [{ hooks: [{ type: 'http', url: ctx.httpUrl }] }], PostToolUse: [{ hooks: [{ type: 'command', command: ctx.hook('post') }] }] } }),
  http: (n) => [{ body: d('allow') }, { body: d('deny', 'not by http') }, { status: 500 }, { body: 'garbage' }][n],
  keep: { noResults: true },
  model: calls(bash('touch a; ls'), bash('touch b; ls'), bash('touch c; ls'), bash('touch d; ls')),
};
