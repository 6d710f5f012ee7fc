import { on, probe } from '../lib/probe.mjs';
// a refused answer's tool call does not run
export default {
  settings: (ctx) => on({ PostToolUse: ctx.hook('post'), Stop: probe(ctx, 'stop', (i, { fs }) => ({ note: { last: i.last_assistant_message, made: fs.existsSync(`${i.cwd}/made`) } })) }),
  args: ['--allowedTools', 'Bash'],
  // whether the call had started by then is a race there; here it never does
  keep: { noResults: true, anyWords: true },
  script: [{ text: 'a', stop: 'refusal', tools: [{ name: 'Bash', input: { command: 'sleep 1; touch made', description: 'x' } }] }, { text: 'two' }],
};
