import { bash } from '../lib/steps.mjs';
// arguments make another hook, an empty list of them does not
export default {
  settings: ({ hook, root }) => ({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: `${root}/hook.sh`, args: ['one'] }, { type: 'command', command: `${root}/hook.sh`, args: ['two'] }, { type: 'command', command: `${root}/hook.sh`, args: ['two'], timeout: 7 }, { type: 'command', command: hook('three'), shell: 'bash' }, { type: 'command', command: hook('three') }] }] } }),
  args: ['--allowedTools', 'Bash'],
  replies: { one: [{}], two: [{}], three: [{}] },
  script: [bash('echo hi'), { text: 'finished' }],
};
