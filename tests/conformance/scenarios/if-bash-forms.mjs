import { bash, calls } from '../lib/calls.mjs';
const ifs = ['Bash(git *)', 'Bash(git:*)', 'Bash(git status)', 'Bash', 'Bash(*)', 'Bash(rm *)', 'Read', 'Bash(git push*)|Bash(rm *)', '', 'nonsense('];
// `if` on PreToolUse, with commands that have several parts
export default {
  settings: ({ hook }) => ({ hooks: { PreToolUse: [{ hooks: ifs.map((x, i) => ({ type: 'command', command: hook(`f${i}`), if: x })) }] } }),
  args: ['--allowedTools', 'Bash'],
  keep: { noResults: true },
  model: calls(bash('git status'), bash('echo a && rm -f b'), bash('X=1 git log || true'), bash('echo git status'), bash('(cd . && git status) || true')),
};
