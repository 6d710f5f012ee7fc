import { earlier } from '../lib/earlier.mjs';
import { hooksOn } from '../lib/steps.mjs';
// a session that was continued, with a tool call and a blocked stop in each run
export default {
  settings: (ctx) => hooksOn({ Stop: 'stop', SessionStart: 'start', SessionEnd: 'end' })(ctx),
  args: async (ctx) => {
    const tool = { text: 't', tools: [{ name: 'Bash', input: { command: 'echo FIRST-OUT', description: 'x' } }] };
    await earlier(ctx, { prompt: 'prompt one', args: ['--allowedTools', 'Bash'], script: [tool, { text: 'answer one' }, { text: 'answer one b' }] });
    await earlier(ctx, { prompt: 'prompt two', args: ['--continue', '--allowedTools', 'Bash'], script: [{ text: 'answer two' }, { text: 'answer two b' }] });
    return ['--continue'];
  },
  prompt: 'prompt three',
  keep: { order: true, firstTold: ['prompt one', 'FIRST-OUT', 'answer one', 'answer one b', 'block one', 'prompt two', 'answer two b', 'block two', 'prompt three'] },
  replies: { stop: [{ code: 2, err: 'block one' }, {}, { out: { decision: 'block', reason: 'block two' } }, {}, {}] },
  script: [{ text: 'three' }],
};
