import { bash, calls, read, write } from '../lib/calls.mjs';
const forms = ['*', 'Bash,Read', ' Bash | Write ', 'Edit|Write', '^(?!Bash)', 'Bash(echo *)', 'Bash.*', 'mcp__.*', '.*', 'Write|', 'B', 'Bash ', '[', 'Read|^W'];
export default {
  files: { a: 'x\n' },
  settings: ({ hook }) => ({ hooks: { PreToolUse: forms.map((matcher, i) => ({ matcher, hooks: [{ type: 'command', command: hook(`m${String(i).padStart(2, '0')}`) }] })) } }),
  args: ['--allowedTools', 'Bash', 'Write'],
  keep: { noResults: true },
  model: calls(bash('echo a'), read('a'), write('b')),
};
