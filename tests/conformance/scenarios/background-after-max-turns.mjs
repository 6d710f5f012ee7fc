import { on, probe } from '../lib/probe.mjs';
// the turn ended at its limit while a command runs
export default {
  limit: 40,
  settings: (ctx) => on({ UserPromptSubmit: probe(ctx, 'prompt', (i) => ({ note: i.prompt.slice(0, 12) })), Stop: ctx.hook('stop'), SessionEnd: ctx.hook('end') }),
  args: ['--allowedTools', 'Bash', '--max-turns', '1'],
  keep: { noResults: true, anyWords: true },
  script: [{ text: 'start', tools: [{ name: 'Bash', input: { command: 'sleep 2', description: 'long', run_in_background: true } }] }, { text: 'one' }, { text: 'two' }],
};
