import { bash, hooksOn, preAnswer } from '../lib/steps.mjs';
// two hooks that contradict each other, and an `ask` that also changes the input
export default {
  settings: hooksOn({ PreToolUse: ['one', 'two'], PermissionRequest: 'asked' }),
  args: ['--allowedTools', 'Bash'],
  replies: {
    one: [preAnswer('ask', 'look at it'), preAnswer('allow', 'go'), preAnswer('ask', 'changed', { updatedInput: { command: 'touch other', description: 'y' } }), preAnswer('ask', 'one asks'), preAnswer('allow', 'go')],
    two: [preAnswer('allow', 'go'), preAnswer('ask', 'look at it'), {}, preAnswer('deny', 'two denies'), preAnswer('deny', 'two denies')],
    asked: [{}],
  },
  script: [...'abcde'].map((x) => bash(`touch ${x}`)).concat([{ text: 'finished' }]),
};
