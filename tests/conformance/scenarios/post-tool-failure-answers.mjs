import { answer, bash, hooksOn } from '../lib/steps.mjs';
// what a hook can do after a call that failed
export default {
  settings: hooksOn({ PostToolUseFailure: 'failed', Stop: 'stop' }),
  args: ['--allowedTools', 'Bash'],
  replies: { failed: [{ code: 2, err: 'exit two' }, { out: { decision: 'block', reason: 'a block' } }, answer('PostToolUseFailure', { additionalContext: 'a hint' }, { decision: 'block', reason: 'and a block' }), { out: 'plain words' }, { out: { systemMessage: 'for the person' } }, answer('PostToolUseFailure', { updatedToolOutput: 'other' })], stop: [{}] },
  script: [1, 2, 3, 4, 5, 6].map((n) => bash(`exit ${n}`)).concat([{ text: 'finished' }]),
};
