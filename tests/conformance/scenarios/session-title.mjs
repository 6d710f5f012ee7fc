import { on, probe, whole } from '../lib/probe.mjs';
import { earlier } from '../lib/earlier.mjs';
// a title that a hook gave the session is there for the hooks of the session that continues it
export default {
  settings: (ctx) => on({ SessionStart: probe(ctx, 'start', (i) => ({ note: [i.source, i.session_title] })), UserPromptSubmit: probe(ctx, 'submit', (i) => ({ note: [i.prompt, i.session_title], out: { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', sessionTitle: `title of ${i.prompt}` } } })) }),
  args: async (ctx) => { await earlier(ctx, { prompt: 'first', script: [{ text: 'a' }] }); return ['--continue']; },
  keep: { order: true },
  prompt: 'second',
  script: [{ text: 'one' }],
};
