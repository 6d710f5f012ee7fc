import { bash } from '../lib/steps.mjs';
const ifs = ['Bash(git push *)', 'Bash(git push)', 'bash(git *)', 'Bash', 'Write(*)', 'Bash(* --force)'];
// which commands meet an `if` that is about another one: those that are put together while they run
const commands = ['echo $(echo hi)', 'echo `echo hi`', 'echo "$(date)"', "echo '$(date)'", 'echo $HOME', 'X=1 echo a', 'echo a > out', 'cat <<EOF\nhi\nEOF', 'echo a | cat', 'for i in 1; do echo $i; done', '(echo a)', 'echo <(true)', 'true && git push', 'echo "unclosed', 'if true; then echo a; fi', 'while false; do echo a; done', 'case a in a) echo a;; esac', '{ echo a; }', 'echo ${HOME}', 'echo ${x:-$(date)}', 'f() { echo f; }; f', 'echo a & wait', '! echo a', 'cat <<< hi', 'echo $(git push)', '$(echo echo) push', 'git $(echo push)', 'echo a; echo $(date)', "bash -c 'echo a'", 'echo "a\\`b"', 'cat <(git push)', '$X push', "echo $'a'", 'git push --force', 'echo a > $(echo out)'];
export default {
  settings: ({ hook }) => ({ hooks: { PreToolUse: [{ hooks: ifs.map((x, i) => ({ type: 'command', command: hook(`f${i}`), if: x })) }] } }),
  args: ['--allowedTools', 'Bash'],
  keep: { noResults: true },
  replies: {},
  script: commands.map((c) => bash(c)).concat([{ text: 'finished' }]),
};
