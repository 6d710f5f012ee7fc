import type { Command } from 'commander';
import type { TaskWorld } from '../../wiring/store/taskWorld.ts';
import type { AddOptions } from './add/runAdd.ts';
import type { ChangeOptions, TaskChange } from './change/runChange.ts';
import type { ClaimOptions } from './claim/runClaim.ts';
import type { ListOptions } from './list/runList.ts';
import type { CompleteOptions, FailOptions, ReleaseOptions } from './settle/runSettle.ts';
import type { ShowOptions } from './show/runShow.ts';
import {
  ADD_HELP,
  CHANGE_HELP,
  CLAIM_HELP,
  LIST_HELP,
  PAUSE_HELP,
  SETTLE_HELP,
  SHOW_HELP,
  TASK_HELP,
} from './taskHelp.ts';
import {
  ADDITIONAL_FLAGS,
  CLAIM_FLAGS,
  COMPLETE_FLAGS,
  FAIL_FLAGS,
  RELEASE_FLAGS,
  splitList,
  type TaskFlag,
} from './taskOptions.ts';

type SetExitCode = (code: number) => void;

/** `stopgate task …`: the tasks of a store. */
export function addTaskCommand(program: Command, setExitCode: SetExitCode): void {
  const task = program
    .command('task')
    .description('add, list, claim and settle tasks that workers share')
    .addHelpText('after', TASK_HELP);
  addAdd(task, setExitCode);
  addList(task, setExitCode);
  addShow(task, setExitCode);
  addClaim(task, setExitCode);
  addSettlements(task, setExitCode);
  for (const [change, about] of CHANGES) addChange(task, change, about, setExitCode);
  addPauses(task, setExitCode);
}

export function withFlags(command: Command, flags: readonly TaskFlag[]): Command {
  for (const { name, value, about, many } of flags) {
    if (many) command.option(`--${name} <${value}>`, about, splitList);
    else command.option(`--${name}${value ? ` <${value}>` : ''}`, about);
  }
  return command;
}

export const COMMON: readonly TaskFlag[] = [ADDITIONAL_FLAGS.json, ADDITIONAL_FLAGS.store];

function addAdd(task: Command, setExitCode: SetExitCode): void {
  const add = task
    .command('add')
    .description('add one task, or all that stdin holds (a Markdown list or JSON Lines), in one transaction')
    .argument('[title]', 'what is to be done; without it, or with -, tasks are read from stdin')
    .option('--body <text>', 'the whole of it; @FILE reads it, - takes it from stdin')
    .option('--priority <n>', 'lower comes first (100)')
    .option('--type <type>', 'for workers that take only some (task)')
    .option('--queue <name>', 'where it waits (default)')
    .option('--after <id>', 'not before this one is done (repeatable)', splitList)
    .option('--delay <time>', 'not before this long from now, such as 10m')
    .option('--at <time>', 'not before this moment: 18:30, or 2026-03-01T09:00')
    .option('--max-failures <n>', 'dead after this many failed attempts (3)')
    .option('--max-claims <n>', 'dead after this many attempts that were lost (3), or given back (20)')
    .option('--time-budget <time>', 'how long one attempt may take')
    .option('--key <key>', 'add it only if no task with this key is open')
    .option('--hold <reason>', 'keep it from being claimed until `task unhold`');
  withFlags(add, COMMON)
    .addHelpText('after', ADD_HELP)
    .action(async (title: string | undefined, options: AddOptions) => {
      const [{ runAdd }, { runWorded }] = await Promise.all([import('./add/runAdd.ts'), worded()]);
      setExitCode(await runWorded((world) => runAdd(title, options, world)));
    });
}

function addList(task: Command, setExitCode: SetExitCode): void {
  const list = task
    .command('list')
    .description('what is worked on, what waits and why, what ended; totals in the last line')
    .option('--state <states>', 'queued, claimed, done, dead, cancelled … (repeatable)', splitList)
    .option('--queue <name>', 'only this queue')
    .option('--type <type>', 'only this type (repeatable)', splitList)
    .option('-n, --limit <n>', 'how many (50)');
  withFlags(list, COMMON)
    .addHelpText('after', LIST_HELP)
    .action(async (options: ListOptions) => {
      const [{ runList }, { runWorded }] = await Promise.all([import('./list/runList.ts'), worded()]);
      setExitCode(await runWorded((world) => runList(options, world)));
    });
}

function addShow(task: Command, setExitCode: SetExitCode): void {
  const show = task
    .command('show')
    .description('everything about one task: body, dependencies, attempts, notes, late results, events')
    .argument('<id>', 'its id, or the beginning of it');
  withFlags(show, COMMON)
    .addHelpText('after', SHOW_HELP)
    .action(async (id: string, options: ShowOptions) => {
      const [{ runShow }, { runWorded }] = await Promise.all([import('./show/runShow.ts'), worded()]);
      setExitCode(await runWorded((world) => runShow(id, options, world)));
    });
}

function addClaim(task: Command, setExitCode: SetExitCode): void {
  withFlags(task.command('claim').description('take one task, and be told how to settle it'), CLAIM_FLAGS)
    .addHelpText('after', CLAIM_HELP)
    .action(async (options: ClaimOptions) => {
      const [{ runClaim }, { runWaiting }] = await Promise.all([import('./claim/runClaim.ts'), worded()]);
      setExitCode(await runWaiting((world, signal) => runClaim(options, oneShot(world), signal)));
    });
}

function addSettlements(task: Command, setExitCode: SetExitCode): void {
  const settlement = (name: string, about: string, flags: readonly TaskFlag[]) =>
    withFlags(task.command(name).description(about).argument('[id]', 'else STOPGATE_TASK_ID'), flags).addHelpText(
      'after',
      SETTLE_HELP,
    );
  settlement('complete', 'say that a claimed task is done', COMPLETE_FLAGS).action(
    async (id: string | undefined, options: CompleteOptions) => {
      const [{ runCompleteGated }, { runWaiting }] = await Promise.all([
        import('./settle/runCompleteGated.ts'),
        worded(),
      ]);
      setExitCode(
        await runWaiting((world, signal) => runCompleteGated(id, options, { world: oneShot(world), signal })),
      );
    },
  );
  settlement(
    'fail',
    'say that this attempt failed; it is tried again until its failures are used up',
    FAIL_FLAGS,
  ).action(async (id: string | undefined, options: FailOptions) => {
    const [{ runFail }, { runWorded }] = await Promise.all([import('./settle/runSettle.ts'), worded()]);
    setExitCode(await runWorded((world) => runFail(id, options, oneShot(world))));
  });
  settlement('release', 'give a task back without a failure, with notes for the next attempt', RELEASE_FLAGS).action(
    async (id: string | undefined, options: ReleaseOptions) => {
      const [{ runRelease }, { runWorded }] = await Promise.all([import('./settle/runSettle.ts'), worded()]);
      setExitCode(await runWorded((world) => runRelease(id, options, oneShot(world))));
    },
  );
}

const CHANGES: readonly (readonly [TaskChange, string])[] = [
  ['cancel', 'end tasks that are not to be done; who has one is told with its next heartbeat'],
  ['redrive', 'bring dead or cancelled tasks back, with their failures forgotten'],
  ['hold', 'keep waiting tasks from being claimed'],
  ['unhold', 'let held tasks be claimed again'],
];

function addChange(task: Command, change: TaskChange, about: string, setExitCode: SetExitCode): void {
  const command = task.command(change).description(about).argument('<id...>', 'ids, or their beginnings');
  withFlags(command.option('--reason <text>', 'why, for the record'), COMMON)
    .addHelpText('after', CHANGE_HELP)
    .action(async (ids: readonly string[], options: ChangeOptions) => {
      const [{ runChange }, { runWorded }] = await Promise.all([import('./change/runChange.ts'), worded()]);
      setExitCode(await runWorded((world) => runChange(change, ids, { options, world })));
    });
}

function addPauses(task: Command, setExitCode: SetExitCode): void {
  const pause = (name: string, about: string, paused: boolean) =>
    withFlags(task.command(name).description(about).argument('[queue]', 'which', 'default'), COMMON)
      .option('--reason <text>', 'why, for the record')
      .addHelpText('after', PAUSE_HELP)
      .action(async (queue: string, options: ChangeOptions) => {
        const [{ runPause }, { runWorded }] = await Promise.all([import('./change/runPause.ts'), worded()]);
        setExitCode(await runWorded((world) => runPause(paused, queue, { options, world })));
      });
  pause('pause', 'let nothing more of a queue be claimed', true);
  pause('resume', 'let a paused queue be claimed from again', false);
}

/** Claims and settlements run in loops, each in a process of its own: closing the store would cost more than they do. */
const oneShot = (world: TaskWorld): TaskWorld => ({ ...world, endsWithCommand: true });

const worded = () => import('../../wiring/store/runWorded.ts');
