import { earlier } from '../lib/earlier.mjs';
import { on } from '../lib/probe.mjs';
// a PreCompact hook refuses /compact: no request, and its words are the result
export default {
  limit: 60,
  prompt: '/compact keep the names',
  settings: (ctx) => on({ PreCompact: ctx.hook('pre'), PostCompact: ctx.hook('post'), Stop: ctx.hook('stop') }),
  args: async (ctx) => {
    await earlier(ctx, { script: [{ text: 'first answer' }] });
    return ['--continue'];
  },
  replies: { pre: [{ code: 2, err: 'not now' }] },
  script: [{ text: 'never' }],
};
