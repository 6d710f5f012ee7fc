import { bash, calls } from '../lib/calls.mjs';
import { on, probe } from '../lib/probe.mjs';
// exit codes of programs that answer with them: alone, in lists and pipes, behind variables, of other programs
const list = ['grep nothing /dev/null', 'true && grep nothing /dev/null', 'grep nothing /dev/null | cat; exit 1', 'cat /dev/null | grep nothing', 'grep nothing /nowhere-at-all', 'X=1 grep nothing /dev/null', 'rg nothing /dev/null; exit 1', 'diff a.txt b.txt', 'diff a.txt nowhere.txt', 'cmp a.txt b.txt', 'git diff --no-index --exit-code a.txt b.txt', 'test -f none', '[ -f none ]', '[[ -f none ]]', 'grep nothing /dev/null; true', 'grep nothing /dev/null || exit 1', 'timeout 5 grep nothing /dev/null', 'find /nowhere-at-all -name x', 'egrep nothing /dev/null', '/bin/grep nothing /dev/null', 'which nosuchprogram', 'grep nothing /dev/null > out.txt', '(grep nothing /dev/null)'];
export default {
  files: { 'a.txt': 'a\n', 'b.txt': 'b\n' },
  settings: (ctx) => on({ PostToolUseFailure: probe(ctx, 'failure', (i) => ({ note: i.tool_input.command })), PostToolUse: probe(ctx, 'post', (i) => ({ note: [i.tool_input.command, i.tool_response.returnCodeInterpretation] })) }),
  args: ['--allowedTools', 'Bash'],
  keep: { noResults: true },
  model: calls(...list.map((c) => bash(c))),
};
