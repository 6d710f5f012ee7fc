import { bash, calls, watch } from '../lib/calls.mjs';
export default {
  settings: (ctx) => ({ hooks: watch(ctx, 'PostToolBatch', 'Stop') }),
  args: ['--allowedTools', 'Bash'],
  replies: { PostToolBatch: [{ out: { systemMessage: 'fine' } }, { out: 'plain' }, { code: 1, err: 'odd' }, { out: { decision: 'block', reason: 'halt here' } }] },
  model: calls(...'abcde'.split('').map((x) => bash(`echo ${x}`))),
};
