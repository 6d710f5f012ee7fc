import { on, probe } from '../lib/probe.mjs';
export default {
  settings: (ctx) => on({ Setup: probe(ctx, 'setup', (i, { env }) => ({ note: [Object.keys(i).sort().join(), i.trigger, 'CLAUDE_ENV_FILE' in env], out: 'SETUP-WORDS' })), SessionStart: probe(ctx, 'start', (i) => ({ note: i.source })) }),
  args: ['--init'],
  keep: { order: true, firstTold: ['SETUP-WORDS'] },
  script: [{ text: 'one' }],
};
