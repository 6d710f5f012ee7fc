import { hooksOn } from '../lib/steps.mjs';
export default {
  settings: hooksOn({ UserPromptSubmit: 'prompt', Stop: 'stop', SessionEnd: 'end' }),
  prompt: 'my password is hunter2',
  replies: { prompt: [{ out: { continue: false, stopReason: 'closed today' } }], stop: [{}], end: [{}] },
  script: [{ text: 'one' }],
};
