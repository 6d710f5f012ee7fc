import { hooksOn } from '../lib/steps.mjs';
export default {
  settings: hooksOn({ UserPromptSubmit: 'prompt' }),
  replies: { prompt: [{ out: { continue: false } }] },
  script: [{ text: 'one' }],
};
