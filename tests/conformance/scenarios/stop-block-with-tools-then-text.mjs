import { bash } from '../lib/calls.mjs';
import { on, probe } from '../lib/probe.mjs';
// the last message when the last answer has a tool call before it
export default {
  settings: (ctx) => on({ Stop: probe(ctx, 'stop', (i, { n }) => ({ note: [i.stop_hook_active, i.last_assistant_message], ...(n === 1 ? { code: 2, err: 'run it' } : {}) })) }),
  args: ['--allowedTools', 'Bash'],
  script: [{ text: 'one' }, { text: 'running', tools: [bash('echo a')] }, { text: '' }, { text: 'end' }],
  keep: { anyWords: true },
};
