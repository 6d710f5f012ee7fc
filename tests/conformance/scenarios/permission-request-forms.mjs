import { bash, calls, fate } from '../lib/calls.mjs';
// answers of a PermissionRequest hook
const says = (decision) => ({ out: { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } } });
export default {
  settings: (ctx) => ({ hooks: fate(ctx) }),
  keep: { noResults: true },
  replies: { PermissionRequest: [{ code: 2, err: 'no' }, says({ behavior: 'deny', message: 'not this' }), says({ behavior: 'allow', updatedInput: { command: 'touch other', description: 'x' } }), says('allow'), { out: { decision: 'approve' } }, { out: { hookSpecificOutput: { hookEventName: 'PermissionRequest', permissionDecision: 'allow' } } }, { out: 'allow' }, { out: { continue: false, stopReason: 'enough' } }] },
  model: calls(...'abcdefgh'.split('').map((x) => bash(`touch ${x}`))),
};
