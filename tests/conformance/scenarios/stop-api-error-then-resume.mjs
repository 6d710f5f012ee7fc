import { earlier } from '../lib/earlier.mjs';
import { hooksOn } from '../lib/steps.mjs';
// a session that ended with an API error is continued: the error is not part of the conversation
export default {
  settings: hooksOn({ Stop: 'stop', StopFailure: 'failure', SessionStart: 'start' }),
  env: { CLAUDE_CODE_MAX_RETRIES: '0' },
  args: async (ctx) => { await earlier(ctx, { prompt: 'first prompt', args: ['--settings', '{"disableAllHooks":true}'], env: { CLAUDE_CODE_MAX_RETRIES: '0' }, script: [{ error: { status: 400, type: 'invalid_request_error', message: 'odd thing' } }] }); return ['--continue']; },
  keep: { order: true, firstTold: ['first prompt', 'odd thing', 'hello'] },
  script: [{ text: 'one' }],
};
