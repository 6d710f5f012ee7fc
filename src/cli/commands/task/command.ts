import { type Command, Option } from 'commander';
import { dollars, tokens } from '../prompt/command.ts';
import type { TaskChange } from './change/runChange.ts';
import { addLimitCommand, addScheduleCommands, withLimitOptions, withScheduleOptions } from './growthCommands.ts';
import * as help from './taskHelp.ts';
import {
  commandRunner,
  gathered,
  type SetExitCode,
  splitList,
  withCommonOptions,
  withWorkerOption,
} from './taskOptions.ts';

type CommandRunner = ReturnType<typeof commandRunner>;

/** `stopgate task …`: the tasks of a store. */
export function addTaskCommand(program: Command, setExitCode: SetExitCode): void {
  const runner = commandRunner(setExitCode);
  const task = program
    .command('task')
    .description('add, list, claim and settle tasks that workers share')
    .addHelpText('after', help.TASK_HELP);
  addAdd(task, runner);
  addReaders(task, runner);
  addClaim(task, runner);
  addSettlements(task, runner);
  addChanges(task, runner);
  addScheduleCommands(task, runner);
  addLimitCommand(task, runner);
}

function addAdd(task: Command, { run }: CommandRunner): void {
  const add = task
    .command('add')
    .description('add one task, or all tasks on stdin (a Markdown list or JSON Lines), in one transaction')
    .argument('[title]', 'what to do; if omitted or -, tasks are read from stdin')
    .option('--body <text>', 'the full description; @FILE reads a file, - reads stdin')
    .option('--priority <n>', 'lower runs first (default: 100)')
    .option('--type <type>', 'for workers that accept only some types (default: task)')
    .option('--queue <name>', 'the queue to add it to (default: default)')
    .option('--after <id>', 'wait until this task is done (repeatable)', splitList)
    .option('--delay <time>', 'earliest start, counted from now, such as 10m')
    .option('--at <time>', 'earliest start: 18:30, or 2026-03-01T09:00')
    .option('--max-failures <n>', 'dead after this many failed attempts (default: 3)')
    .option('--max-claims <n>', 'dead after this many lost (default: 3) or released (default: 20) attempts')
    .option('--time-budget <time>', 'time limit for one attempt')
    .option('--total-time <time>', 'time limit for all attempts together')
    .option('--max-budget-usd <amount>', 'dead once all attempts together have spent this amount', dollars)
    .option('--token-budget <tokens>', 'dead once all attempts together wrote this many tokens, such as 200k', tokens)
    .option('--verify <command>', 'what its work has to pass in a clean checkout (repeatable)', gathered)
    .option('--no-verify', 'done when it is completed, whatever the project defines')
    .option('--judge <criteria>', 'then a model judges the diff by this and the task; @FILE reads a file')
    .option('--repo <url|path>', 'the git repository of its code (default: that of this folder, by its remote origin)')
    .option('--base <ref>', 'the branch, tag or commit to start from (default: what is checked out)')
    .option('--key <key>', 'add it only if no unfinished task has this key')
    .option('--hold <reason>', 'keep it from being claimed until `task unhold`');
  withScheduleOptions(withLimitOptions(add));
  withCommonOptions(add, help.ADD_HELP).action(run(async () => (await import('./add/runAdd.ts')).runAdd));
}

function addReaders(task: Command, { run, runInterruptibly }: CommandRunner): void {
  const list = task
    .command('list')
    .description('list tasks: in progress, waiting (and why), ended; totals in the last line')
    .option('--state <states>', 'queued, claimed, done, dead, cancelled … (repeatable)', splitList)
    .option('--queue <name>', 'only this queue')
    .option('--type <type>', 'only this type (repeatable)', splitList)
    .option('-n, --limit <n>', 'maximum number of tasks (default: 50)')
    .option('--dead', 'dead tasks grouped by their reason, the largest group first');
  withCommonOptions(list, help.LIST_HELP).action(run(async () => (await import('./list/runList.ts')).runList));
  const show = task
    .command('show')
    .description('show one task: body, dependencies, attempts, notes, late results, events')
    .argument('<id>', 'its id, or the beginning of it');
  withCommonOptions(show, help.SHOW_HELP).action(run(async () => (await import('./show/runShow.ts')).runShow));
  const logs = task
    .command('logs')
    .description(
      'print what the agent of an attempt printed, without secrets; kept for 14 days on the host of its worker',
    )
    .argument('<id>', 'its id, or the beginning of it')
    .option('--attempt <n>', 'its epoch, as in `task show` (default: the latest)')
    .addOption(new Option('-f, --follow', 'print more until the attempt has ended').conflicts('transcript'))
    .option('--transcript', 'print the conversation of its agent instead');
  withCommonOptions(logs, help.LOGS_HELP).action(
    runInterruptibly(async () => (await import('./logs/runLogs.ts')).runLogs),
  );
}

function addClaim(task: Command, { runInterruptibly }: CommandRunner): void {
  const claim = withWorkerOption(task.command('claim').description('claim one task; prints it and how to settle it'))
    .option('--type <type>', 'only tasks of this type (repeatable)', splitList)
    .option('--queue <name>', 'only from this queue')
    .option('--task <id>', 'only this task')
    .option('--wait <time>', 'wait up to this long for a task, such as 30s');
  withCommonOptions(claim, help.CLAIM_HELP).action(
    runInterruptibly(async () => (await import('./claim/runClaim.ts')).runClaim, ONE_SHOT),
  );
}

const BY_KEY = "with --all: only with this key, or those that begin so: 'nightly-*' (repeatable)";

function addSettlements(task: Command, { run, runInterruptibly }: CommandRunner): void {
  const settlement = (name: string, about: string) =>
    task.command(name).description(about).argument('[id]', 'the task (default: STOPGATE_TASK_ID)');
  const load = () => import('./settle/runSettle.ts');
  withSettleOptions(
    settlement('complete', 'mark a claimed task as done')
      .option('--result <text>', 'what was done; @FILE reads a file, - reads stdin')
      .option('--next', 'also claim the next task for the same worker'),
  ).action(runInterruptibly(async () => (await load()).runComplete, ONE_SHOT));
  withSettleOptions(
    settlement('fail', 'mark this attempt as failed; the task is retried until --max-failures')
      .option('--error <text>', 'the reason; @FILE reads a file, - reads stdin')
      .option('--retry-after <time>', "when to retry, instead of the task's own backoff")
      .option('--final', 'do not retry'),
  ).action(run(async () => (await load()).runFail, ONE_SHOT));
  withSettleOptions(
    settlement('release', 'return a task to the queue without a failure, with notes for the next attempt')
      .option('--note <text>', 'notes for the next attempt; @FILE reads a file, - reads stdin')
      .option('--reason <why>', 'rate_limited, drained, abandoned, continued, or any text')
      .option('--delay <time>', 'keep it from being claimed for this long')
      .option('--all', 'release every claimed task, or those of --queue and --type, for other workers to take')
      .option('--queue <name>', 'with --all: only this queue')
      .option('--type <type>', 'with --all: only this type (repeatable)', splitList)
      .option('--key <key>', BY_KEY, gathered)
      .option('--dry-run', 'with --all: only count them'),
  ).action(run(async () => (await load()).runRelease, ONE_SHOT));
}

function withSettleOptions(command: Command): Command {
  command
    .option('--epoch <n>', 'of your claim, as printed by `task claim`: proves that it is still yours')
    .option('--attempt <id>', 'of your claim, instead of the epoch or in addition to it');
  return withCommonOptions(withWorkerOption(command), help.SETTLE_HELP);
}

const CHANGES: readonly (readonly [TaskChange, string])[] = [
  ['cancel', 'cancel tasks; a worker that holds one is notified at its next heartbeat'],
  ['redrive', 'requeue dead or cancelled tasks and reset their failure counts'],
  ['hold', 'keep waiting tasks from being claimed'],
  ['unhold', 'allow held tasks to be claimed again'],
];

const PAUSES = [
  ['pause', 'stop new claims from a queue'],
  ['resume', 'allow claims from a paused queue again'],
] as const;

function addChanges(task: Command, { run }: CommandRunner): void {
  const load = () => import('./change/runChange.ts');
  for (const [change, about] of CHANGES) {
    const command = task.command(change).description(about).argument('[id...]', 'ids, or their beginnings');
    if (change === 'redrive') command.alias('retry');
    const filtered = command
      .option('--all', 'every task that this can be done to, instead of ids')
      .option('--state <states>', 'with --all: only tasks in these states (repeatable)', splitList)
      .option('--queue <name>', 'with --all: only this queue')
      .option('--type <type>', 'with --all: only this type (repeatable)', splitList)
      .option('--key <key>', BY_KEY, gathered)
      .option('--dry-run', 'with --all: only count them');
    withCommonOptions(filtered.option('--reason <text>', 'why, for the record'), help.CHANGE_HELP).action(
      run(async () => (await load()).runChange(change)),
    );
  }
  addEdit(task, { run });
  for (const [name, about] of PAUSES) {
    withCommonOptions(task.command(name).description(about).argument('[queue]', 'its name', 'default'), help.PAUSE_HELP)
      .option('--reason <text>', 'why, for the record')
      .action(run(async () => (await load()).runPause(name)));
  }
}

function addEdit(task: Command, { run }: Pick<CommandRunner, 'run'>): void {
  const edit = task
    .command('edit')
    .description('change an open task: its text, place or budgets')
    .argument('<id>', 'its id, or the beginning of it')
    .option('--title <text>', 'what to do')
    .option('--body <text>', 'the full description; @FILE reads a file, - reads stdin')
    .option('--note <text>', 'added to the end of the description; @FILE reads a file, - reads stdin')
    .option('--priority <n>', 'lower runs first')
    .option('--queue <name>', 'move it to this queue')
    .option('--time-budget <time>', 'time limit for one attempt')
    .option('--total-time <time>', 'time limit for all attempts together')
    .option('--max-budget-usd <amount>', 'what all attempts together may spend', dollars)
    .option('--token-budget <tokens>', 'what all attempts together may write', tokens)
    .option('--repo <url|path>', 'the git repository of its code')
    .option('--base <ref>', 'the branch, tag or commit that its next attempt starts from, if it has no work yet')
    .option('--judge <criteria>', 'what a model judges its work by after its checks; @FILE reads a file')
    .option(
      '--without <fields>',
      'remove time-budget, total-time, max-budget-usd, token-budget, concurrency-key or judge',
      splitList,
    );
  withLimitOptions(edit);
  withCommonOptions(edit, help.EDIT_HELP).action(run(async () => (await import('./edit/runEdit.ts')).runEdit));
}

/** Claims and settlements run in loops, each in its own process: closing the store would cost more than they do. */
const ONE_SHOT = { endsWithCommand: true } as const;
