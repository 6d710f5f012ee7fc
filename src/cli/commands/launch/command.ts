import type { Command } from 'commander';
import { agentNames } from '../../../hosts/all.ts';
import { dollars, tokens } from '../prompt/command.ts';
import { bodyRunner, type SetExitCode } from '../task/taskOptions.ts';

const EXAMPLES = `
Examples:
  $ stopgate launch --time-budget 20m -- "fix the failing tests" --permission-mode acceptEdits --allowedTools "Bash(npm test)"
  $ stopgate launch --time-budget 1h --interactive
  $ git diff | stopgate launch --time-budget 5m -- "review this change"
  $ stopgate launch --time-budget 1h30m --worktree -- -p "port it to v2" --model opus
  $ stopgate launch --time-budget 20m --agent stopgate -- "fix the failing tests"
  $ stopgate launch --time-budget 20m --agent codex -- "fix the failing tests" -s workspace-write

Everything after -- goes to the agent, and so does piped stdin; a first word that is not an option is its
prompt, and the run is headless. The agent sees the time left after every tool call; in the last minutes only
commits, tests and reads still run. When the time is up, it has a grace period to land, then its whole process
group is ended. Uncommitted work is kept at refs/stopgate/wip/<id>, also during the run, without touching the
branch, index or files. stopgate restore lists kept work and restores it.

Exit codes:
  0 or the agent's own    it ended by itself
  121  no work: no tool call, no changed file, no answer
  122  it left processes running (they are ended and named), and no checks passed
  123  it ended with 0, but its checks gave up: stalled, capped, skipped, not run, error (with --require-proof: did not pass)
  124  out of time        125  stopped by a limit       127  could not be started
  130  interrupted        143  terminated               2    usage error
  74   --report could not be written`;

export function addLaunchCommand(program: Command, setExitCode: SetExitCode): void {
  program
    .command('launch')
    .description('run an agent with a time budget that it can see, and keep its work however it ends')
    .argument('[prompt...]', 'arguments of the agent, after --')
    .requiredOption('--time-budget <time>', 'time for the agent, such as 20m or 1h30m')
    .option('--grace <time>', 'time to land after that (default: a tenth of the budget, 30s to 2m)')
    .option('--agent <agent>', `${agentNames()}, or any command`, 'claude')
    .option('-i, --interactive', 'give the agent this terminal, with the same clock and landing')
    .option('--worktree', 'run in a new git worktree on its own branch')
    .option('--commit <where>', 'where to keep uncommitted work: wip (a private ref) or branch', 'wip')
    .option('--token-budget <tokens>', 'end it after this many output tokens', tokens)
    .option('--max-budget-usd <amount>', 'end it once this amount is spent', dollars)
    .option('--no-checks', 'ignore the checks of stopgate.config.json')
    .option('--require-proof', 'exit with 123 unless the checks passed')
    .option('--require-sandbox', 'for stopgate: run commands in the sandbox, or exit if there is no sandbox')
    .option('--trust-project', "trust the project's own checks and hooks for this run")
    .option('--profile <name>', 'the profile with its hooks: a name in ~/.stopgate/profiles, or a path', 'default')
    .option('--report <file>', 'also write the report to this file, as JSON')
    .option('-q, --quiet', 'print only failures')
    .option('--json', 'print the report to stdout as one line of JSON')
    .addHelpText('after', EXAMPLES)
    .action(bodyRunner(setExitCode, async () => (await import('./runLaunch.ts')).runLaunch));
}
