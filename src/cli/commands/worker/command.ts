import type { Command } from 'commander';
import { agentNames } from '../../../hosts/all.ts';
import { bodyRunner, commandRunner, type SetExitCode, withCommonOptions } from '../task/taskOptions.ts';

const WORKER_HELP = `
Examples:
  $ stopgate worker run --worktrees -- --permission-mode acceptEdits
  $ stopgate worker list
  $ stopgate worker wait --tasks-done --timeout 10m

\`stopgate fleet up\` starts workers as tasks need them.`;

const RUN_HELP = `
Examples:
  $ stopgate worker run -- --permission-mode acceptEdits    Claude Code, until no task has arrived for 10 minutes
  $ stopgate worker run --agent stopgate --type critical    our own agent, 30 minutes
  $ stopgate worker run --worktrees -- --model opus         a worktree, a branch and a new agent for each task
  $ stopgate worker run --agent ./do-it.sh                  any command: its exit code settles the task
  $ stopgate worker run --slots 8 --worktrees               eight workers in one process

The worker waits for tasks without calling a model. An agent gets its first task as its prompt; its stop hook hands it
the next ones and waits in between. It settles them with \`stopgate task complete|fail|release\`. A headless agent cannot
ask for permission: grant it after -- (--permission-mode, --allowedTools), or in its settings.

With --slots, each worker has its own name (SLOT-1, SLOT-2 …), agent, log and end; they share the process and its store.

Kinds: default 10m, critical 30m, temporary 5m, persistent never; or any --idle-timeout.

Exit codes:
  0 stopped (idle or drained)    1 another process has the slot    2 usage error
  69 the store cannot be reached, or the agent can no longer be started`;

const LIST_HELP = `
Examples:
  $ stopgate worker list
  $ stopgate worker list --all                     include stopped and lost workers
  $ stopgate worker list --json | jq '.workers[] | select(.shownStatus == "gone")'

States:
  launching · idle · busy · paused (its account is limited or refused) · draining · suspect (silent for long)
  gone (its process on this host has ended; a coordinator will requeue its task) · stopped · lost`;

const WAIT_HELP = `
Examples:
  $ stopgate worker wait --tasks-done --timeout 10m && ./deploy
  $ stopgate worker wait --idle
  $ stopgate worker wait nightly-1 nightly-2 --gone

Exit codes:
  0 reached    1 all tasks have ended, but some of them are dead    2 usage error
  124 not within --timeout    130 interrupted`;

/** The options that `worker run` and `fleet up` share. */
export const withAgentOptions = (command: Command): Command =>
  command
    .argument('[arguments...]', 'more arguments for the agent, after --')
    .option('--agent <agent>', `${agentNames()}, or any command`, 'claude')
    .option('--type <kind>', 'sets the idle limit: default, critical, temporary, persistent', 'default')
    .option('--idle-timeout <time>', 'another idle limit, such as 15m, or never')
    .option('--queue <name>', 'the queue to take tasks from')
    .option('--types <list>', 'only tasks of these types, separated by commas')
    .option('--account <key>', "the account whose rate limits it shares (default: the agent's name)")
    .option('--store <place>', 'a file or postgres://… (default: STOPGATE_STORE)')
    .option('--worktrees', 'a git worktree and branch for each attempt')
    .option('--review-limit <n>', 'claim no task while this many attempts of the queue wait for review; none: no limit')
    .option('--no-verify', 'completed tasks are done immediately, unless they name commands with `task add --verify`')
    .option(
      '--push-every <time>',
      'push the work of a task with a remote this often while its agent works (default: 5m)',
    )
    .option('--remove-worktrees', 'remove each worktree after its attempt, including files that git ignores');

export function addWorkerCommand(program: Command, setExitCode: SetExitCode): void {
  const { run, runInterruptibly } = commandRunner(setExitCode);
  const worker = program.command('worker').description('the workers of a store').addHelpText('after', WORKER_HELP);
  const runOne = worker
    .command('run')
    .description('run one supervised worker: it takes tasks and keeps its agent alive while there are any');
  withAgentOptions(runOne)
    .option('--slot <name>', 'the name of its slot (default: host and process id)')
    .option('--incarnation <n>', 'the one that a coordinator reserved')
    .option('--slots <n>', 'this many workers in one process')
    .option('--coordinated', 'with --slots: run the slots that a coordinator orders, at most that many')
    .option('--drain-timeout <time>', 'how long its agent may take to finish after SIGTERM', '10m')
    .addHelpText('after', RUN_HELP)
    .action(bodyRunner(setExitCode, async () => (await import('./runWorkerCommand.ts')).runWorkerCommand));
  const list = worker
    .command('list')
    .description('list workers: kind, state, process, heartbeat, idle time, task')
    .option('--all', 'include stopped and lost workers')
    .option('--queue <name>', 'only workers of this queue');
  withCommonOptions(list, LIST_HELP).action(run(async () => (await import('./runWorkerList.ts')).runWorkerList));
  const wait = worker
    .command('wait')
    .description('wait until all tasks have ended, or workers are idle or gone')
    .argument('[workers...]', 'only these workers')
    .option('--tasks-done', 'until no task is open (the default)')
    .option('--idle', 'until no worker has a task')
    .option('--gone', 'until no worker is running')
    .option('--queue <name>', 'only this queue')
    .option('--timeout <time>', 'give up after this long, such as 10m');
  withCommonOptions(wait, WAIT_HELP).action(
    runInterruptibly(async () => (await import('./runWorkerWait.ts')).runWorkerWait),
  );
}
