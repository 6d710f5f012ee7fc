import { bash, calls } from '../lib/calls.mjs';
// what stays from one command to the next: the folder, but not variables, functions or options
export default {
  files: { 'sub/x': 'x\n' },
  settings: {},
  args: ['--allowedTools', 'Bash'],
  side: (b) => b.messages.filter((m) => m.role === 'assistant').length < 1,
  model: (b) => { const n = b.messages.filter((m) => m.role === 'assistant').length; return calls(bash('export KEPT=1; other=2; f() { echo fn; }; alias zz=ls; set -e; cd sub'), bash('echo "STATE ${KEPT-none} ${other-none} $(type -t f) $(basename $PWD)"'), bash('cd ..'), bash('echo "STATE $(basename $PWD)"'))(b, { main: (b.tools ?? []).length > 2, n }); },
};
