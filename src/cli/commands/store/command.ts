import type { Command } from 'commander';
import { commandRunner, type SetExitCode, withCommonOptions } from '../task/taskOptions.ts';

const INFO_HELP = `
Examples:
  $ stopgate store info
  $ stopgate store info --store postgres://localhost/tasks --json`;

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
  const store = program.command('store').description('show or move the store that holds the tasks');
  withCommonOptions(
    store.command('info').description('show its kind, place, schema, generation, counts and size'),
    INFO_HELP,
  ).action(run(async () => (await import('./runStoreInfo.ts')).runStoreInfo));
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
