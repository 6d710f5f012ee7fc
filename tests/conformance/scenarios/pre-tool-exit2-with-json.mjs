import { bash, hooksOn, preAnswer } from '../lib/steps.mjs';
// exit 2 beside every kind of JSON on standard output
export default {
  settings: hooksOn({ PreToolUse: 'pre' }),
  args: ['--allowedTools', 'Bash'],
  replies: { pre: [
    { ...preAnswer('allow', 'json says yes'), code: 2, err: 'exit says no' },
    { ...preAnswer('deny', 'json says no'), code: 2, err: 'exit says no' },
    { ...preAnswer('ask', 'json asks'), code: 2, err: 'exit says no' },
    { ...preAnswer('defer', 'json defers'), code: 2, err: 'exit says no' },
    { out: { decision: 'approve', reason: 'old yes' }, code: 2, err: 'exit says no' },
    { out: { hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'and context' } }, code: 2, err: 'exit says no' },
  ] },
  script: [...'abcdef'].map((x) => bash(`touch ${x}`)).concat([{ text: 'finished' }]),
};
