import { existsSync } from 'node:fs';
import { moveStore } from '../../../store/moveStore.ts';
import { type StorePlace, showStorePlace } from '../../../store/storePlace.ts';
import { UserError } from '../../../system/userError.ts';
import { processWriter } from '../../../system/writer.ts';
import { askYes } from '../../output/askYes.ts';
import { type Progress, progressOn } from '../../output/progress.ts';
import { available, type ExportedRow, type Store } from '../../wiring/store/openedStore.ts';
import { checkFolder, openPlace, openTaskStoreToRead, UNAVAILABLE_EXIT } from '../../wiring/store/openTaskStore.ts';
import { chooseStorePlace, readPlace } from '../../wiring/store/storePlace.ts';
import { TASK_EXIT } from '../../wiring/store/taskExit.ts';
import { printAnswer, type TaskWorld, type WaitingWorld } from '../../wiring/store/taskWorld.ts';
import { totalOf, totalsLine } from '../task/list/listText.ts';
import type { CommonOptions, Flags } from '../task/taskOptions.ts';
import { gatherInfo, type StoreInfo } from './runStoreInfo.ts';

interface Invocation {
  readonly options: CommonOptions & Flags<'to', 'cancel' | 'dryRun' | 'yes'>;
  readonly world: WaitingWorld;
}

/**
 * `stopgate store move`: the old store accepts no changes from the start, then everything is copied in one transaction.
 * An interruption leaves the new store empty; the old one then names its target, and the same command continues the move.
 */
export async function runStoreMove(options: Invocation['options'], world: WaitingWorld): Promise<number> {
  const invocation = { options, world };
  const from = chooseStorePlace({ flag: options.store, ...world });
  await using source = await openTaskStoreToRead(options.store, world);
  const info = await gatherInfo(source, from);
  if (options.cancel) return await cancelMove(source, info, invocation);
  if (options.to === undefined) throw new UserError('Name the target: --to FILE or --to postgres://HOST/DATABASE.');
  const to = readPlace(options.to, world.cwd);
  const name = showStorePlace(to);
  if (name === showStorePlace(from)) throw new UserError('Nothing to move: --to names the same store.');
  if (info.movedTo !== null && info.movedTo !== name) {
    throw new UserError(`The tasks of ${info.location} were moved to ${info.movedTo}; move them from there.`);
  }
  checkFolder(to, world.stopgateHome);
  if (options.dryRun) return await dryRun(info, to, invocation);
  if (!options.yes && !(await confirmMove(planText(info, name)))) return TASK_EXIT.refused;
  await using target = await openPlace(to, world);
  // awaited here: both stores are closed when this returns
  return await move({ source, target, info, to }, invocation);
}

/** Asks at the terminal; only a clear yes counts. */
async function confirmMove(plan: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new UserError(`${plan} Add --yes to do it.`);
  return (await askYes(`${plan}\nMove them?`, process.stderr)) === 'yes';
}

interface Move {
  readonly source: Store;
  readonly target: Store;
  readonly info: StoreInfo;
  readonly to: StorePlace;
}

async function move({ source, target, info, to }: Move, invocation: Invocation): Promise<number> {
  const { clock, signal } = invocation.world;
  const name = showStorePlace(to);
  const there = await gatherInfo(target, to);
  if (!isEmpty(there)) {
    // the copy is one transaction: if any of it is there, all of it is
    const isThisMove = info.movedTo === name && there.generation > info.generation;
    const sentence = `Everything was moved to ${name} before.`;
    if (isThisMove) return report(sentence, { type: 'movedBefore' }, invocation);
    const why = `${name} is not empty (${totalsLine(there).replace(/\.$/, '')})`;
    throw new UserError(`Nothing was moved: ${why}; choose another place.`, TASK_EXIT.refused);
  }
  const writer = processWriter(() => {});
  const progress = progressOn(writer, clock.now);
  const counted = { ...source, exportAll: () => watched(source, progress, signal) };
  const outcome = await moveStore(counted, target, name).finally(() => progress.end());
  if (outcome.type === 'moved') {
    const rows = `${outcome.rows.toLocaleString('en')} rows`;
    const sentence = `Moved ${taskCount(totalOf(info.counts))} (${rows}) to ${name}, generation ${outcome.generation}; ${info.location} now only refers to it.${claimedHint(info)}`;
    return report(sentence, { ...outcome, to: name }, invocation);
  }
  const why =
    outcome.type === 'refused'
      ? `${name} already has settings or events of its own; choose another place.`
      : outcome.reason;
  throw new UserError(`Nothing was moved, and the old store is in use again: ${why}`, UNAVAILABLE_EXIT);
}

const isEmpty = (info: StoreInfo) => totalOf(info.counts) === 0 && info.workers === 0;

const taskCount = (n: number) => `${n.toLocaleString('en')} task${n === 1 ? '' : 's'}`;

function claimedHint({ counts: { claimed } }: StoreInfo): string {
  if (claimed === 0) return '';
  return ` Claims are kept with their epochs (${taskCount(claimed)}): settle them in the new store.`;
}

/** Rows arrive without a break in which a signal could be handled. */
const ROWS_BETWEEN_BREAKS = 1_000;

/** Counts first, so that the progress bar has a total: the source no longer changes. */
async function* watched(source: Store, progress: Progress, signal: AbortSignal): AsyncGenerator<ExportedRow> {
  const step = async (action: string, done: number, total?: number) => {
    if (done % ROWS_BETWEEN_BREAKS !== 0) return;
    progress.show(action, done, total);
    await new Promise((resolve) => setImmediate(resolve));
    if (!signal.aborted) return;
    throw new UserError('Interrupted: nothing was moved, and the old store is in use again.', TASK_EXIT.interrupted);
  };
  let total = 0;
  for await (const _row of source.exportAll()) await step('counting', ++total);
  let done = 0;
  for await (const row of source.exportAll()) {
    yield row;
    await step('moving', ++done, total);
  }
}

function report(sentence: string, outcome: object, { options, world }: Invocation): number {
  return printAnswer(world, options, { outcome: { ...outcome, sentence }, sentence });
}

const planText = (info: StoreInfo, name: string) =>
  `From ${info.location} to ${name}: ${totalsLine(info)} ${info.workers} worker${info.workers === 1 ? '' : 's'}. Epochs and incarnations are kept; afterwards, the old store only refers to the new one.`;

async function dryRun(info: StoreInfo, to: StorePlace, invocation: Invocation): Promise<number> {
  const name = showStorePlace(to);
  const isNew = to.type === 'sqlite' && !existsSync(to.path);
  const there = isNew ? null : await readInfo(to, invocation.world);
  const state =
    there === null ? 'will be created' : isEmpty(there) ? 'is empty' : 'is NOT empty, so the move would be refused';
  const sentence = `Dry run, nothing was moved. ${planText(info, name)} ${name} ${state}.`;
  return report(sentence, { type: 'dryRun', from: info, to: there }, invocation);
}

async function readInfo(place: StorePlace, world: TaskWorld): Promise<StoreInfo> {
  await using store = await openPlace(place, world);
  return await gatherInfo(store, place);
}

/** For a move whose target is permanently gone. */
async function cancelMove(source: Store, { movedTo, location }: StoreInfo, invocation: Invocation): Promise<number> {
  if (movedTo === null) return report(`${location} was not moved.`, { type: 'unchanged' }, invocation);
  if (!invocation.options.yes) {
    throw new UserError(`If ${movedTo} has the tasks, both stores would be in use; add --yes if it does not.`);
  }
  return report(`${location} is in use again.`, available(await source.cancelMove()), invocation);
}
