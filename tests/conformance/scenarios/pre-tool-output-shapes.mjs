import { bash, calls } from '../lib/calls.mjs';
import { hooksOn } from '../lib/steps.mjs';
const deny = JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'denied' } });
// which output of PreToolUse is an answer: text around it, two objects, an array, a string, nothing, spaces
export default {
  settings: hooksOn({ PreToolUse: 'pre', PostToolUse: 'post' }),
  args: ['--allowedTools', 'Bash'],
  replies: { pre: [`log line\n${deny}`, `${deny}\nlog line`, `${deny}\n${deny}`, `[${deny}]`, '"deny"', '', '{}', `\n\n  ${deny}  \n\n`, `${deny}${deny}`, JSON.stringify(JSON.parse(deny), null, 2), 'null', `{"a":1}\n{"b":2}`].map((out) => ({ out })) },
  model: calls(...[...'abcdefghijkl'].map((x) => bash(`echo ${x}`))),
};
