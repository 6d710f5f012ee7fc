import type { Command } from 'commander';
import { COMMON_FLAGS, withFlags } from '../task/taskOptions.ts';
import type { StoreInfoOptions } from './runStoreInfo.ts';
import type { StoreMoveOptions } from './runStoreMove.ts';

const INFO_HELP = `
Examples:
  $ stopgate store info
  $ stopgate store info --store postgres://localhost/tasks --json`;

const MOVE_HELP = `
Examples:
  $ stopgate store move --to postgres://me@localhost/tasks --dry-run
  $ stopgate store move --to postgres://me@localhost/tasks
  $ stopgate store move --store old.db --to new.db --yes

Everything is copied in one transaction, epochs and incarnations too, so that claims made before can be
settled after. The old store takes no changes from the first moment and answers "moved" ever after. A move
that was broken off, even by kill -9, has lost nothing: run the same command again. --cancel puts the old
store back into use when the new one is gone for good.

Exit codes:
  0 moved, or moved before    1 nothing was moved    2 wrong use    130 interrupted: nothing was moved`;

type SetExitCode = (code: number) => void;

/** `stopgate store …`: where tasks are kept. */
export function addStoreCommand(program: Command, setExitCode: SetExitCode): void {
  const store = program.command('store').description('where tasks are kept: look at it, move it');
  withFlags(store.command('info').description('its kind, place, schema, generation, counts and size'), COMMON_FLAGS)
    .addHelpText('after', INFO_HELP)
    .action(async (options: StoreInfoOptions) => {
      const [{ runStoreInfo }, { runWorded }] = await Promise.all([import('./runStoreInfo.ts'), worded()]);
      setExitCode(await runWorded((world) => runStoreInfo(options, world)));
    });
  const move = store
    .command('move')
    .description('move all tasks, workers and events to another store')
    .option('--to <place>', 'an empty store: a file, or postgres://HOST/DATABASE')
    .option('--dry-run', 'only say what would be moved')
    .option('--cancel', 'use the old store again')
    .option('-y, --yes', 'do not ask');
  withFlags(move, COMMON_FLAGS)
    .addHelpText('after', MOVE_HELP)
    .action(async (options: StoreMoveOptions) => {
      const [{ runStoreMove }, { runWaiting }] = await Promise.all([import('./runStoreMove.ts'), worded()]);
      setExitCode(await runWaiting((world, signal) => runStoreMove(options, world, signal)));
    });
}

const worded = () => import('../../wiring/store/runWorded.ts');
