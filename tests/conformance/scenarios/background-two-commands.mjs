import { on, probe } from '../lib/probe.mjs';
export default {
  limit: 40,
  settings: (ctx) => on({ Stop: probe(ctx, 'stop', (i) => ({ note: { last: i.last_assistant_message, tasks: i.background_tasks.map((t) => t.description).sort() } })), UserPromptSubmit: probe(ctx, 'prompt', (i) => ({ note: i.prompt.replace(/<(task-id|output-file)>[^<]*/g, '<$1>…').replace(/[^]*<summary>|<\/summary>[^]*/g, '') })) }),
  args: ['--allowedTools', 'Bash'],
  keep: { noResults: true, anyWords: true, order: true },
  script: [{ text: 'start', tools: [{ name: 'Bash', input: { command: 'sleep 2', description: 'first', run_in_background: true } }, { name: 'Bash', input: { command: 'sleep 5', description: 'second', run_in_background: true } }] }, { text: 'one' }, { text: 'two' }, { text: 'three' }],
};
