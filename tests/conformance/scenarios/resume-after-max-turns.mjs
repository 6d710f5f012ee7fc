import { earlier } from '../lib/earlier.mjs';
import { hooksOn, bash } from '../lib/steps.mjs';
// a session that ended at --max-turns is continued: its call has its result
export default {
  settings: hooksOn({ Stop: 'stop', SessionStart: 'start' }),
  args: async (ctx) => { await earlier(ctx, { prompt: 'first prompt', args: ['--settings', '{"disableAllHooks":true}', '--max-turns', '1', '--allowedTools', 'Bash'], script: [bash('echo FROM-BASH')] }); return ['--continue']; },
  keep: { order: true, firstTold: ['first prompt', 'FROM-BASH', 'hello'] },
  script: [{ text: 'one' }],
};
