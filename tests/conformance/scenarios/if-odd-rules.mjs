import { bash, calls, read, write } from '../lib/calls.mjs';
const forms = ['Bash', 'Bash()', 'Bash(*)', 'Bash(echo *)', 'Bash(echo:*)', 'bash(echo *)', 'Bash(echo hi)', 'Bash(git *) || Bash(echo *)', '', 'Write(*.txt)', 'Write(*.md)', 'Read(a.*)', 'Edit(*.txt)', 'nonsense(', 'Bash|Read', '*', 'Read', 'Bash(*hi*)'];
// which hook runs for which rule: echo, a compound line, a read, a write
export default {
  files: { 'a.txt': 'a' },
  settings: ({ hook }) => ({ hooks: { PreToolUse: [{ hooks: forms.map((rule, k) => ({ type: 'command', if: rule, command: hook(`f${k}`) })) }] } }),
  args: ['--allowedTools', 'Bash', 'Write'],
  keep: { noResults: true },
  model: calls(bash('echo hi'), bash('true && echo there'), bash('X=1 echo hi'), bash('ls'), read('a.txt'), write('b.txt')),
};
