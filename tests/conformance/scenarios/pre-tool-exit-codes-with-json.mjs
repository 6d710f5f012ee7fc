import { bash, calls } from '../lib/calls.mjs';
import { hooksOn, preAnswer } from '../lib/steps.mjs';
const deny = preAnswer('deny', 'json denies');
const allow = preAnswer('allow', 'json allows');
// exit codes beside JSON that denies or allows, of a call that nothing else allows
export default {
  settings: hooksOn({ PreToolUse: 'pre', PostToolUse: 'post' }),
  replies: { pre: [{ ...deny, code: 1, err: 'e1' }, { ...deny, code: 3 }, { ...deny, code: 255, err: 'e255' }, { ...allow, code: 1, err: 'e1' }, { ...allow, code: 3 }, { ...allow, code: 2, err: 'e2' }, { out: { decision: 'block' }, code: 1, err: 'stderr' }, { out: { hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'CTX' } }, code: 1 }, { out: { hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'CTX' } }, code: 2, err: 'no' }] },
  model: calls(...[...'abcdefghi'].map((x) => bash(x === 'h' ? 'ls' : `touch ${x}`))),
};
