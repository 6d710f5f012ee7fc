import type { Command } from 'commander';
import { COMMON_FLAGS, withFlags } from '../task/taskOptions.ts';
import { addWorkerRun } from './addWorkerRun.ts';
import type { WorkerListOptions } from './runWorkerList.ts';
import type { WorkerWaitOptions } from './runWorkerWait.ts';

const LIST_HELP = `
Examples:
  $ stopgate worker list
  $ stopgate worker list --all                     also those that stopped or were lost
  $ stopgate worker list --json | jq '.workers[] | select(.shownStatus == "gone")'

States:
  launching · idle · busy · paused (its account is limited or refused) · draining · suspect (silent for long)
  gone (its process on this host is; its task goes back when a coordinator looks) · stopped · lost`;

const WAIT_HELP = `
Examples:
  $ stopgate worker wait --tasks-done --timeout 10m && ./deploy
  $ stopgate worker wait --idle
  $ stopgate worker wait nightly-1 nightly-2 --gone

Exit codes:
  0 it is so    1 all tasks ended, but some that were open are dead    2 wrong use
  124 not within --timeout    130 interrupted`;

type SetExitCode = (code: number) => void;

/** `stopgate worker …`: each subcommand is one function here. */
export function addWorkerCommand(program: Command, setExitCode: SetExitCode): void {
  const worker = program.command('worker').description('the workers of a store');
  addWorkerRun(worker, setExitCode);
  addWorkerList(worker, setExitCode);
  addWorkerWait(worker, setExitCode);
}

function addWorkerList(worker: Command, setExitCode: SetExitCode): void {
  const list = worker
    .command('list')
    .description('who is here: kind, state, process, heartbeat, idle time, task')
    .option('--all', 'also those that stopped or were lost')
    .option('--queue <name>', 'only those of this queue');
  withFlags(list, COMMON_FLAGS)
    .addHelpText('after', LIST_HELP)
    .action(async (options: WorkerListOptions) => {
      const [{ runWorkerList }, { runWorded }] = await Promise.all([
        import('./runWorkerList.ts'),
        import('../../wiring/store/runWorded.ts'),
      ]);
      setExitCode(await runWorded((world) => runWorkerList(options, world)));
    });
}

function addWorkerWait(worker: Command, setExitCode: SetExitCode): void {
  const wait = worker
    .command('wait')
    .description('wait until tasks have ended, or workers are idle or gone')
    .argument('[workers...]', 'only these')
    .option('--tasks-done', 'until no task is open (this one unless told otherwise)')
    .option('--idle', 'until no worker has a task')
    .option('--gone', 'until no worker is here')
    .option('--queue <name>', 'only of this queue')
    .option('--timeout <time>', 'give up after this long, such as 10m');
  withFlags(wait, COMMON_FLAGS)
    .addHelpText('after', WAIT_HELP)
    .action(async (names: readonly string[], options: WorkerWaitOptions) => {
      const [{ runWorkerWait }, { runWaiting }] = await Promise.all([
        import('./runWorkerWait.ts'),
        import('../../wiring/store/runWorded.ts'),
      ]);
      setExitCode(await runWaiting((world, signal) => runWorkerWait(names, options, { world, signal })));
    });
}
