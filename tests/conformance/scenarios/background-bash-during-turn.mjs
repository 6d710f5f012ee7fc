import { on, probe } from '../lib/probe.mjs';
// the command ends while the turn still runs tools: the model is told beside the next result
export default {
  limit: 40,
  settings: (ctx) => on({ UserPromptSubmit: probe(ctx, 'prompt', (i) => ({ note: i.prompt.replace(/<(task-id|output-file)>[^<]*/g, '<$1>…') })), Stop: probe(ctx, 'stop', (i) => ({ note: i.background_tasks.length })) }),
  args: ['--allowedTools', 'Bash'],
  keep: { noResults: true, order: true, anyWords: true },
  script: [{ text: 'start', tools: [{ name: 'Bash', input: { command: 'sleep 0.5; echo over', description: 'short one', run_in_background: true } }] }, { text: 'b', tools: [{ name: 'Bash', input: { command: 'sleep 3', description: 'x' } }] }, { text: 'one' }, { text: 'two' }],
};
