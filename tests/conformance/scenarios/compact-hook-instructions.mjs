import { earlier } from '../lib/earlier.mjs';
import { on, probe } from '../lib/probe.mjs';
// what a PreCompact hook prints is among what the summary is asked for
export default {
  limit: 60,
  prompt: '/compact PERSON-ASKS',
  settings: (ctx) =>
    on({
      PreCompact: probe(ctx, 'pre', () => ({ out: 'HOOK-ASKS' })),
      PostCompact: probe(ctx, 'post', (i) => ({ note: i.compact_summary })),
    }),
  args: async (ctx) => {
    await earlier(ctx, { script: [{ text: 'first answer' }] });
    return ['--continue'];
  },
  side: () => true,
  model: (b) => {
    const asked = JSON.stringify(b.messages.at(-1));
    return { text: `<summary>${['PERSON-ASKS', 'HOOK-ASKS'].filter((words) => asked.includes(words)).join(', ')}</summary>` };
  },
};
