import { earlier } from '../lib/earlier.mjs';
import { on, probe } from '../lib/probe.mjs';
// --resume: the conversation, the id, and the events of the second run
export default {
  settings: (ctx) => on({ SessionStart: probe(ctx, 'start', (i) => ({ note: [i.source, i.session_id === '11111111-2222-4333-8444-555555555555'] })), Stop: probe(ctx, 'stop', (i) => ({ note: [i.stop_hook_active, i.last_assistant_message] })) }),
  args: async (ctx) => { await earlier(ctx, { prompt: 'first prompt', args: ['--session-id', '11111111-2222-4333-8444-555555555555'], script: [{ text: 'first answer' }] }); return ['--resume', '11111111-2222-4333-8444-555555555555']; },
  keep: { order: true, firstTold: ['first prompt', 'first answer', 'hello'] },
  script: [{ text: 'second answer' }],
};
