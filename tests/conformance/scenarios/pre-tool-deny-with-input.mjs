import { bash, hooksOn, preAnswer } from '../lib/steps.mjs';
const changed = { updatedInput: { command: 'echo changed', description: 'y' } };
// a changed input beside a denial
export default {
  settings: hooksOn({ PreToolUse: ['one', 'two'], PostToolUse: 'post' }),
  args: ['--allowedTools', 'Bash'],
  replies: {
    one: [preAnswer('deny', 'no', changed), preAnswer('deny', 'no'), { out: { hookSpecificOutput: { hookEventName: 'PreToolUse', ...changed } } }],
    two: [{}, preAnswer('allow', 'yes', changed), {}],
    post: [{}],
  },
  script: [...'abc'].map((x) => bash(`echo ${x}`)).concat([{ text: 'finished' }]),
};
