import { answer, bash, hooksOn } from '../lib/steps.mjs';
const says = (decision, more) => answer('PermissionRequest', { decision }, more);
// every form an answer can have: a change, no message, exit 2, a top-level block, continue false, nothing
export default {
  settings: hooksOn({ PermissionRequest: 'asked', PostToolUse: 'post' }),
  replies: { asked: [
    says({ behavior: 'allow', updatedInput: { command: 'touch changed; ls', description: 'x' } }),
    says({ behavior: 'deny' }),
    says({ behavior: 'deny', message: 'not today' }),
    { code: 2, err: 'exit says no' },
    { out: { decision: 'block', reason: 'old no' } },
    { out: { decision: 'approve', reason: 'old yes' } },
    { ...says({ behavior: 'allow' }), code: 2, err: 'exit says no' },
    says({ behavior: 'allow', updatedInput: { cmd: 'wrong' } }),
    {},
  ], post: [{}] },
  keep: { noResults: true },
  script: [...'abcdefghi'].map((x) => bash(`touch ${x}; ls`)).concat([{ text: 'finished' }]),
};
