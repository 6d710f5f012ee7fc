import { on, probe } from '../lib/probe.mjs';
export default {
  settings: (ctx) => on({ PreToolUse: ctx.hook('pre'), PostToolUse: ctx.hook('post'), PostToolBatch: ctx.hook('batch'), SessionEnd: probe(ctx, 'end', (i, { fs }) => ({ note: ['a', 'b'].filter((f) => fs.existsSync(`${i.cwd}/${f}`)) })) }),
  args: ['--allowedTools', 'Bash', '--max-budget-usd', '1'],
  replies: { pre: [{ sleep: 0.5 }] },
  script: [{ text: 'a', in: 900000, out: 100000, tools: [{ name: 'Bash', input: { command: 'touch a; sleep 1', description: 'x' } }, { name: 'Bash', input: { command: 'touch b; sleep 1', description: 'x' } }] }, { text: 'one' }],
};
