import { on, probe } from '../lib/probe.mjs';
// a Stop hook ends the turn for good while a command runs: it is waited for all the same
export default {
  limit: 40,
  settings: (ctx) => on({ UserPromptSubmit: probe(ctx, 'prompt', (i) => ({ note: i.prompt.slice(0, 12) })), Stop: ctx.hook('stop'), SessionEnd: ctx.hook('end') }),
  replies: { stop: [{ out: { continue: false, stopReason: 'over' } }, {}] },
  args: ['--allowedTools', 'Bash'],
  keep: { noResults: true, anyWords: true },
  script: [{ text: 'start', tools: [{ name: 'Bash', input: { command: 'sleep 2', description: 'long', run_in_background: true } }] }, { text: 'one' }, { text: 'two' }],
};
