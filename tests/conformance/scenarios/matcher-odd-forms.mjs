import { bash, calls, read } from '../lib/calls.mjs';
const forms = ['Bash,Read', 'Bash | Read', ' Bash ', '^Bash$', '.*', 'B.sh', 'Ba*', 'Bash(ls)', 'Bash|', '|', ',', 'Read|bash', 'BASH', '(?i)bash', '!Read', 'Bash\n', '*Bash', '**', 'Bash-1', 'Bash_'];
// each hook is named after the place of its matcher
export default {
  files: { 'a.txt': 'a' },
  settings: ({ hook }) => ({ hooks: { PreToolUse: forms.map((matcher, k) => ({ matcher, hooks: [{ type: 'command', command: hook(`m${k}`) }] })) } }),
  args: ['--allowedTools', 'Bash'],
  keep: { noResults: true },
  model: calls(bash('echo hi'), read('a.txt')),
};
