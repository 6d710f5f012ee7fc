import { earlier } from '../lib/earlier.mjs';
import { hooksOn } from '../lib/steps.mjs';
// after /compact a continued session has the summary, and what SessionStart said
export default {
  settings: hooksOn({ SessionStart: 'start', Stop: 'stop' }),
  args: async (ctx) => { await earlier(ctx, { prompt: 'first prompt', script: [{ text: 'first answer' }] }); await earlier(ctx, { prompt: '/compact', args: ['--continue'], script: [{ text: '<summary>THE SUMMARY</summary>' }] }); return ['--continue']; },
  replies: { start: [{ out: 'START 1' }, { out: 'START 2' }, { out: 'START 3' }, { out: 'START 4' }] },
  keep: { order: true, firstTold: ['first prompt', 'first answer', 'THE SUMMARY', 'START 1', 'START 3', 'START 4', 'hello'] },
  script: [{ text: 'one' }],
};
