import { answer, hooksOn } from '../lib/steps.mjs';
// nothing is blocked: the prompt goes to the model
export default {
  settings: hooksOn({ UserPromptSubmit: 'prompt' }),
  prompt: 'my password is hunter2',
  keep: { firstTold: ['my password is hunter2'] },
  replies: { prompt: [answer('UserPromptSubmit', { suppressOriginalPrompt: true })] },
  script: [{ text: 'one' }],
};
