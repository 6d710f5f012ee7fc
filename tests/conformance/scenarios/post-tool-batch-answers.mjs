import { answer, bash, hooksOn } from '../lib/steps.mjs';
export default {
  settings: hooksOn({ PostToolBatch: 'batch', Stop: 'stop' }),
  args: ['--allowedTools', 'Bash'],
  replies: { batch: [{ out: 'plain words' }, { out: { systemMessage: 'for the person' } }, answer('PostToolBatch', { additionalContext: 'a hint' }, { decision: 'block', reason: 'a block' })], stop: [{}] },
  script: [1, 2, 3, 4].map((n) => bash(`echo ${n}`)).concat([{ text: 'finished' }]),
};
