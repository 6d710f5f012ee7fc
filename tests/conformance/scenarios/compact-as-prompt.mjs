import { earlier } from '../lib/earlier.mjs';
import { on, probe } from '../lib/probe.mjs';
export default {
  limit: 60,
  prompt: '/compact keep the names',
  settings: (ctx) => on({ PreCompact: probe(ctx, 'pre', (i) => ({ note: { trigger: i.trigger, custom: i.custom_instructions } })), PostCompact: probe(ctx, 'post', (i) => ({ note: { trigger: i.trigger, summary: typeof i.compact_summary } })), SessionStart: probe(ctx, 'start', (i) => ({ note: i.source })), UserPromptSubmit: ctx.hook('prompt'), Stop: ctx.hook('stop') }),
  args: async (ctx) => { await earlier(ctx, { script: [{ text: 'first answer' }] }); return ['--continue']; },
  side: (b) => JSON.stringify(b.messages.at(-1)).includes('summary'),
  keep: { order: true, anyWords: true },
  model: (b, { main }) => !main ? { text: '<summary>All was well.</summary>' } : { text: 'after' },
};
