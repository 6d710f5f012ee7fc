import { bash, preAnswer } from '../lib/steps.mjs';
// an http hook's ask is as final as a command's
export default {
  settings: ({ hook, httpUrl }) => ({ hooks: { PreToolUse: [{ hooks: [{ type: 'http', url: `${httpUrl}/pre` }] }], PermissionRequest: [{ hooks: [{ type: 'command', command: hook('asked') }] }] } }),
  args: ['--allowedTools', 'Bash'],
  http: (n) => ({ body: [preAnswer('ask', 'the server wants a person'), preAnswer('deny', 'the server says no'), preAnswer('allow', 'fine')][n]?.out }),
  replies: { asked: [{}] },
  script: [bash('touch a'), bash('touch b'), bash('touch c'), { text: 'finished' }],
};
