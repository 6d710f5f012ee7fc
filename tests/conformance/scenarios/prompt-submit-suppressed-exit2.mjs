import { answer, hooksOn } from '../lib/steps.mjs';
export default {
  settings: hooksOn({ UserPromptSubmit: 'prompt' }),
  prompt: 'my password is hunter2',
  replies: { prompt: [{ ...answer('UserPromptSubmit', { suppressOriginalPrompt: true }), code: 2, err: 'exit says no' }] },
  script: [{ text: 'one' }],
};
