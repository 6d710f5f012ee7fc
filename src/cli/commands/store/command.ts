import type { Command } from 'commander';
import { commandRunner, type SetExitCode, withCommonOptions } from '../task/taskOptions.ts';

const STORE_HELP = `
Examples:
  $ stopgate store info
  $ stopgate store prune --older-than 30d --dry-run
  $ stopgate store move --to postgres://me@localhost/tasks`;

const INFO_HELP = `
Examples:
  $ stopgate store info
  $ stopgate store info --store postgres://localhost/tasks --json`;

const PRUNE_HELP = `
Examples:
  $ stopgate store prune --older-than 30d --dry-run
  $ stopgate store prune --older-than 30d
  $ stopgate store prune --keep 1000 --dead
  $ stopgate store prune --older-than 30d --unmerged    also branches whose commits no other branch has

Removes tasks that are done or cancelled, their attempts and events, and what they left on this machine: logs, worktrees
without changes or ignored files that no tool makes again, branches sg/TASK/N and kept work (refs/stopgate/wip) of the
repository of this folder and of the machine's clones, refused settlements.
Never: a task that has not ended, one that an unfinished, dead or cancelled task depends on, an unfinished task's parent,
the newest task, and one whose work waits for review. A branch or kept work goes only when another branch, a tag or a
remote has its commits; where git cannot tell, it stays. What stays is looked at again by later runs.
Works in small transactions, so workers go on. What was removed is recorded as an event (store.pruned).

Exit codes:
  0 done    2 usage error    69 the store cannot be reached    130 interrupted: what was removed is gone`;

const POLICY_HELP = `
Examples:
  $ stopgate store policy                          what it is now
  $ stopgate store policy --keep-done 30d          workers and coordinators prune once an hour
  $ stopgate store policy --off

By default, nothing is removed automatically. A policy does what \`stopgate store prune --older-than\` does, in the folder of
the worker or coordinator that comes first, and never removes unmerged work. What it removed is an event (store.pruned).`;

const LEASE_HELP = `
Examples:
  $ stopgate store lease                           what it is now
  $ stopgate store lease 10m                       while no worker and no coordinator of the store runs

A worker that is silent for so long loses its task to another machine. It is the same for all machines of the store: the first
worker or coordinator records its own (STOPGATE_LEASE, else 3m), later ones use that, and are refused if their STOPGATE_LEASE
differs. \`store move\` takes it along.

Exit codes:
  0 done, or already so    1 refused: workers or coordinators run    2 usage error    69 the store cannot be reached`;

const MOVE_HELP = `
Examples:
  $ stopgate store move --to postgres://me@localhost/tasks --dry-run
  $ stopgate store move --to postgres://me@localhost/tasks
  $ stopgate store move --store old.db --to new.db --yes

Everything is copied in one transaction, including epochs and incarnations, so that existing claims can be settled in the
new store. The old store accepts no changes from the start of the move, and afterwards answers "moved". An interrupted
move, even by kill -9, loses nothing: run the same command again. --cancel puts the old store back into use if the new one
is permanently gone.

Exit codes:
  0 moved, or already moved    1 nothing was moved    2 usage error    130 interrupted: nothing was moved`;

/** `stopgate store …`: where tasks are kept. */
export function addStoreCommand(program: Command, setExitCode: SetExitCode): void {
  const { run, runInterruptibly } = commandRunner(setExitCode);
  const store = program
    .command('store')
    .description('show, prune or move the store that holds the tasks')
    .addHelpText('after', STORE_HELP);
  withCommonOptions(
    store.command('info').description('show its kind, place, schema, generation, counts and size'),
    INFO_HELP,
  ).action(run(async () => (await import('./runStoreInfo.ts')).runStoreInfo));
  const prune = store
    .command('prune')
    .description('remove tasks that ended long ago, and what they left')
    .option('--older-than <time>', 'only what ended at least this long ago, such as 30d')
    .option('--keep <n>', 'keep this many of those, the ones that ended last')
    .option('--dead', 'also dead tasks')
    .option('--queue <name>', 'only tasks of this queue')
    .option('--unmerged', 'also branches and kept work of removed tasks that no other branch has')
    .option('--dry-run', 'only show what would be removed');
  withCommonOptions(prune, PRUNE_HELP).action(
    runInterruptibly(async () => (await import('./runStorePrune.ts')).runStorePrune),
  );
  const policy = store
    .command('policy')
    .description('show or set what workers and coordinators remove automatically')
    .option('--keep-done <time>', 'remove what ended at least this long ago, such as 30d')
    .option('--dead', 'with --keep-done: also dead tasks')
    .option('--off', 'remove nothing automatically');
  withCommonOptions(policy, POLICY_HELP).action(run(async () => (await import('./runStorePolicy.ts')).runStorePolicy));
  const lease = store
    .command('lease')
    .description('show or set how long a silent worker keeps its task')
    .argument('[time]', 'at least 10s, such as 10m');
  withCommonOptions(lease, LEASE_HELP).action(run(async () => (await import('./runStoreLease.ts')).runStoreLease));
  const move = store
    .command('move')
    .description('move all tasks, workers and events to another store')
    .option('--to <place>', 'an empty store: a file, or postgres://HOST/DATABASE')
    .option('--dry-run', 'only show what would be moved')
    .option('--cancel', 'put the old store back into use')
    .option('-y, --yes', 'skip the confirmation prompt');
  withCommonOptions(move, MOVE_HELP).action(
    runInterruptibly(async () => (await import('./runStoreMove.ts')).runStoreMove),
  );
}
