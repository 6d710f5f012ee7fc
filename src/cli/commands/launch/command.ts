import type { Command } from 'commander';
import type { LaunchOptions } from './launchRequest.ts';

const EXAMPLES = `
Examples:
  $ stopgate launch --time-budget 20m -- "fix the failing tests" --permission-mode acceptEdits --allowedTools "Bash(npm test)"
  $ stopgate launch --time-budget 1h --interactive
  $ git diff | stopgate launch --time-budget 5m -- "review this change"
  $ stopgate launch --time-budget 1h30m --worktree -- -p "port it to v2" --model opus
  $ stopgate launch --time-budget 20m --agent stopgate -- "fix the failing tests"
  $ stopgate launch --time-budget 20m --agent "codex exec" -- "fix the failing tests"

Everything after -- goes to the agent; a first word that is not an option is its prompt, and the run is headless.
Piped standard input goes to the agent as well. The agent sees after every tool call how much time is left, and in the last minutes only commits, tests and reads still run. When time is over it has
a grace to land, then its whole process group is ended. Work that is not committed is kept at
refs/stopgate/wip/<id>, also at each change of tier, without touching branch, index or files. stopgate restore lists what
is kept and brings it back.

Exit codes:
  0 or the agent's own    it ended by itself
  123  it ended with 0, but its checks gave up: stalled, capped, skipped, not asked, an error (with --require-proof: did not pass)
  124  out of time        125  stopped by a limit       127  it could not be started
  130  interrupted        143  terminated               2    wrong use
  74   --report could not be written`;

export function addLaunchCommand(program: Command, setExitCode: (code: number) => void): void {
  program
    .command('launch')
    .description('run an agent on a clock that it can see, and keep its work however it ends')
    .argument('[prompt...]', 'what the agent gets, behind --')
    .requiredOption('--time-budget <time>', 'how long it has, such as 20m or 1h30m')
    .option('--grace <time>', 'how long it may land when time is over (a tenth of the budget, 30s to 2m)')
    .option('--agent <agent>', 'claude, stopgate, or any command', 'claude')
    .option('-i, --interactive', 'give the agent this terminal: you talk to it, the clock and the landing stay')
    .option('--worktree', 'in a git work tree and on a branch of its own')
    .option('--commit <where>', 'where uncommitted work is kept: wip (a private ref) or branch', 'wip')
    .option('--token-budget <tokens>', 'end it when it has written this many output tokens')
    .option('--max-budget-usd <amount>', 'end it when it has spent this much')
    .option('--no-checks', 'do not hold it to the checks of stopgate.config.json')
    .option('--require-proof', 'exit with 123 unless the checks passed')
    .option('--require-sandbox', 'for stopgate: run commands in the sandbox, and refuse to run where there is none')
    .option('--trust-project', "let the project's own checks and hooks run, this once")
    .option('--profile <name>', 'whose hooks it inherits: a name in ~/.stopgate/profiles, or a path', 'default')
    .option('--report <file>', 'also write the report there, as JSON')
    .option('-q, --quiet', 'no lines of our own but failures')
    .option('--json', 'print the report as one line of JSON on standard output')
    .addHelpText('after', EXAMPLES)
    .action(async (words: readonly string[], _own: object, command: Command) => {
      // limits and trust are options of a prompt too, and commander gives those to the outer command
      const options: LaunchOptions = command.optsWithGlobals();
      const [{ launchRequest }, { runLaunch }] = await Promise.all([
        import('./launchRequest.ts'),
        import('../../../launch/runLaunch.ts'),
      ]);
      setExitCode(await runLaunch(launchRequest(words, options)));
    });
}
