import { on, probe } from '../lib/probe.mjs';
export default {
  limit: 40,
  settings: (ctx) => on({ UserPromptSubmit: probe(ctx, 'prompt', (i) => ({ note: i.prompt.replace(/<(task-id|output-file)>[^<]*/g, '<$1>…') })), Stop: ctx.hook('stop') }),
  args: ['--allowedTools', 'Bash'],
  keep: { noResults: true, anyWords: true, order: true },
  script: [{ text: 'start', tools: [{ name: 'Bash', input: { command: 'sleep 2; exit 3', description: 'breaks', run_in_background: true } }] }, { text: 'one' }, { text: 'two' }],
};
