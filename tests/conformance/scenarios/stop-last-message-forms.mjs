import { hooksOn } from '../lib/steps.mjs';
import { bash } from '../lib/steps.mjs';
// last_assistant_message: text beside a call, spaces around it, several lines, none
export default {
  settings: hooksOn({ Stop: 'stop' }),
  args: ['--allowedTools', 'Bash'],
  replies: { stop: [{ code: 2, err: '1' }, { code: 2, err: '2' }, { code: 2, err: '3' }, {}] },
  script: [{ text: '  spaces around  \n\n' }, { text: 'line one\n\nline two' }, bash('echo hi'), { text: 'after the call' }, { text: 'ends with code\n```\nx\n```' }],
  keep: { order: true },
};
