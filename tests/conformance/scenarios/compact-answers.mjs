import { earlier } from '../lib/earlier.mjs';
import { hooksOn } from '../lib/steps.mjs';
// PreCompact and PostCompact with JSON: systemMessage, continue: false, plain text; SessionStart after it adds context
export default {
  prompt: '/compact',
  settings: hooksOn({ PreCompact: ['pre', 'pre2'], PostCompact: 'post', SessionStart: 'start' }),
  args: async (ctx) => { await earlier(ctx, { prompt: 'first prompt', args: ['--settings', '{"disableAllHooks":true}'], script: [{ text: 'first answer' }] }); return ['--continue']; },
  replies: { pre: [{ out: 'KEEP THE NAMES' }], pre2: [{ out: { systemMessage: 'sys', continue: false, stopReason: 'no' } }], post: [{ out: { decision: 'block', reason: 'too late' } }], start: [{ out: 'RESUMED' }, { out: 'AFTER COMPACT' }] },
  keep: { anyWords: true },
  model: () => ({ text: '<summary>THE SUMMARY</summary>' }),
};
