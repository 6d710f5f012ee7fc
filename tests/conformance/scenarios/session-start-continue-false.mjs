import { answer, hooksOn } from '../lib/steps.mjs';
export default {
  settings: hooksOn({ SessionStart: 'start', Stop: 'stop' }),
  keep: { firstTold: ['SessionStart hook additional context: and context', 'closed', 'SessionStart:startup'] },
  replies: { start: [answer('SessionStart', { additionalContext: 'and context' }, { continue: false, stopReason: 'closed' })], stop: [{}] },
  script: [{ text: 'one' }],
};
