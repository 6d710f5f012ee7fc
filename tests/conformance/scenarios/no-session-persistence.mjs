import { earlier } from '../lib/earlier.mjs';
export default {
  settings: ({ hook }) => ({ hooks: { SessionStart: [{ hooks: [{ type: 'command', command: hook('start') }] }] } }),
  args: async (ctx) => { await earlier(ctx, { prompt: 'first prompt', args: ['--no-session-persistence'] }); return ['--continue']; },
  keep: { firstTold: ['first prompt', 'hello'] },
  script: [{ text: 'second answer' }],
};
