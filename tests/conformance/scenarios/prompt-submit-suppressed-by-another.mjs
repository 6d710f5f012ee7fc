import { answer, hooksOn } from '../lib/steps.mjs';
// one blocks, the other wants the prompt kept back
export default {
  settings: hooksOn({ UserPromptSubmit: ['one', 'two'] }),
  prompt: 'my password is hunter2',
  replies: { one: [{ out: { decision: 'block', reason: 'a secret' }, sleep: 0.3 }], two: [answer('UserPromptSubmit', { suppressOriginalPrompt: true })] },
  script: [{ text: 'one' }],
};
