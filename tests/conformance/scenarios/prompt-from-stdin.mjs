import fs from 'node:fs';
import { earlier } from '../lib/earlier.mjs';
import { bash } from '../lib/calls.mjs';
import { on, probe } from '../lib/probe.mjs';
// the prompt as hooks see it when it comes from stdin, or from both
export default {
  settings: (ctx) => on({ UserPromptSubmit: probe(ctx, 'prompt', (i) => ({ note: JSON.stringify(i.prompt) })) }),
  args: async (ctx) => { await earlier(ctx, { prompt: null, stdin: 'only stdin\n' }); await earlier(ctx, { prompt: 'an argument', stdin: 'and stdin\nlines\n' }); return []; },
  keep: { order: true },
  script: [{ text: 'one' }],
};
