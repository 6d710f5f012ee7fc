import { answer, hooksOn } from '../lib/steps.mjs';
export default {
  settings: hooksOn({ UserPromptSubmit: 'prompt' }),
  prompt: 'my password is hunter2',
  replies: { prompt: [answer('UserPromptSubmit', { suppressOriginalPrompt: true }, { decision: 'block', reason: 'a secret' })] },
  script: [{ text: 'one' }],
};
