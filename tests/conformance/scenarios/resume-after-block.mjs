import { earlier } from '../lib/earlier.mjs';
import { on, probe } from '../lib/probe.mjs';
// a continued session begins with a fresh stop_hook_active and cap
export default {
  settings: (ctx) => on({ Stop: probe(ctx, 'stop', (i, { n }) => ({ note: [n, i.stop_hook_active], ...(n % 2 ? { code: 2, err: `block ${n}` } : {}) })) }),
  args: async (ctx) => { await earlier(ctx, { prompt: 'first prompt' }); return ['--continue']; },
  keep: { order: true, firstTold: ['first prompt', 'block 1', 'hello'] },
  script: [{ text: 'second answer' }],
};
