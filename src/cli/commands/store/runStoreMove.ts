import { existsSync } from 'node:fs';
import { moveStore } from '../../../store/moveStore.ts';
import { UserError } from '../../../system/userError.ts';
import { processWriter } from '../../../system/writer.ts';
import { type Progress, progressOn } from '../../output/progress.ts';
import { available, type ExportedRow, type Store } from '../../wiring/store/openedStore.ts';
import { openPlace, openTaskStoreToRead, UNAVAILABLE_EXIT } from '../../wiring/store/openTaskStore.ts';
import { chooseStorePlace, placeInWords, readPlace, type StorePlace } from '../../wiring/store/storePlace.ts';
import { TASK_EXIT } from '../../wiring/store/taskExit.ts';
import type { TaskWorld } from '../../wiring/store/taskWorld.ts';
import { totalOf, totalsLine } from '../task/list/listText.ts';
import { askToMove } from './askToMove.ts';
import { gatherInfo, type StoreInfo } from './runStoreInfo.ts';

export interface StoreMoveOptions {
  readonly to?: string;
  readonly cancel?: true;
  readonly dryRun?: true;
  readonly yes?: true;
  readonly json?: true;
  readonly store?: string;
}

/**
 * `stopgate store move`: from the first moment the old store takes no changes, then everything is copied in one transaction.
 * Whatever ends it before that leaves the new store empty; the old one then says where it was going, and the same command
 * again goes on.
 */
export async function runStoreMove(options: StoreMoveOptions, world: TaskWorld, signal: AbortSignal): Promise<number> {
  const from = chooseStorePlace({ flag: options.store, ...world });
  await using source = await openTaskStoreToRead(options.store, world);
  const info = await gatherInfo(source, from);
  if (options.cancel) return await cancelMove(source, info, { options, world });
  if (options.to === undefined) throw new UserError('Say where to: --to FILE or --to postgres://HOST/DATABASE.');
  const to = readPlace(options.to, world.cwd);
  const name = placeInWords(to);
  if (name === placeInWords(from)) throw new UserError('The tasks are there already: --to names the same store.');
  if (info.movedTo !== null && info.movedTo !== name) {
    throw new UserError(`The tasks of ${info.location} went to ${info.movedTo}; move them from there.`);
  }
  if (options.dryRun) return await dryRun(info, to, { options, world });
  if (!options.yes && !(await askToMove(planText(info, name)))) return TASK_EXIT.refused;
  await using target = await openPlace(to, world);
  // awaited here: both stores are closed when this returns
  return await move({ source, target, info, name }, { options, world, signal });
}

interface Moving {
  readonly source: Store;
  readonly target: Store;
  readonly info: StoreInfo;
  readonly name: string;
}

interface Surroundings {
  readonly options: StoreMoveOptions;
  readonly world: TaskWorld;
  readonly signal: AbortSignal;
}

async function move({ source, target, info, name }: Moving, { options, world, signal }: Surroundings): Promise<number> {
  const there = await gatherInfo(target, readPlace(options.to ?? '', world.cwd));
  if (!isEmpty(there)) {
    // the copy is one transaction: what is there from it is all of it
    const isThisMove = info.movedTo === name && there.generation > info.generation;
    if (isThisMove)
      return tell(
        `All was moved to ${name} before; this store only says so.`,
        { type: 'movedBefore' },
        { options, world },
      );
    throw new UserError(
      `${name} is not empty (${totalsLine(there)}) and nothing was moved; choose another place.`,
      TASK_EXIT.refused,
    );
  }
  const progress = progressOn(
    processWriter(() => {}),
    () => world.clock.now(),
  );
  const counted = { ...source, exportAll: () => watched(source, { progress, signal }) };
  const outcome = await moveStore(counted, target, name).finally(() => progress.end());
  if (outcome.type === 'moved') {
    const sentence = `Moved ${totalOf(info.counts).toLocaleString('en')} tasks (${outcome.rows.toLocaleString('en')} rows) to ${name}, generation ${outcome.generation}; ${info.location} only says so from now on.${claimedHint(info)}`;
    return tell(sentence, { ...outcome, to: name }, { options, world });
  }
  const why = outcome.type === 'refused' ? `${name} is not empty.` : outcome.reason;
  throw new UserError(`Nothing was moved, and the old store is in use again: ${why}`, UNAVAILABLE_EXIT);
}

const isEmpty = (info: StoreInfo) => totalOf(info.counts) === 0 && info.workers === 0;

const claimedHint = ({ counts }: StoreInfo) =>
  counts.claimed === 0
    ? ''
    : ` ${counts.claimed} claimed tasks keep their epochs: who has them settles them in the new store.`;

/** Rows come without a pause in which a signal could be heard. */
const ROWS_BETWEEN_LOOKS = 1_000;

interface Watching {
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Counts first, so that the bar knows where it ends: nothing changes any more while this runs. */
async function* watched(source: Store, { progress, signal }: Watching): AsyncGenerator<ExportedRow> {
  const look = async (doing: string, done: number, total?: number) => {
    if (done % ROWS_BETWEEN_LOOKS !== 0) return;
    progress.show(doing, done, total);
    await new Promise((resolve) => setImmediate(resolve));
    if (!signal.aborted) return;
    throw new UserError('Interrupted: nothing was moved, and the old store is in use again.', TASK_EXIT.interrupted);
  };
  let total = 0;
  for await (const _row of source.exportAll()) await look('counting', ++total);
  let done = 0;
  for await (const row of source.exportAll()) {
    yield row;
    await look('moving', ++done, total);
  }
}

interface Telling {
  readonly options: StoreMoveOptions;
  readonly world: TaskWorld;
}

function tell(sentence: string, outcome: object, { options, world }: Telling): number {
  world.say(options.json ? `${JSON.stringify({ ...outcome, sentence })}\n` : `${sentence}\n`);
  return TASK_EXIT.done;
}

const planText = (info: StoreInfo, name: string) =>
  `From ${info.location} to ${name}: ${totalsLine(info)} ${info.workers} workers. Epochs and incarnations are kept; the old store will only say where they went.`;

async function dryRun(info: StoreInfo, to: StorePlace, telling: Telling): Promise<number> {
  const name = placeInWords(to);
  const isNew = to.type === 'sqlite' && !existsSync(to.path);
  const there = isNew ? null : await lookAt(to, telling.world);
  const state = there === null ? 'will be made' : isEmpty(there) ? 'is empty' : 'is NOT empty, so it would be refused';
  return tell(
    `Nothing is moved yet. ${planText(info, name)} ${name} ${state}.`,
    { type: 'dryRun', from: info, to: there },
    telling,
  );
}

async function lookAt(place: StorePlace, world: TaskWorld): Promise<StoreInfo> {
  await using store = await openPlace(place, world);
  return await gatherInfo(store, place);
}

/** For a move whose target is gone for good. */
async function cancelMove(source: Store, { movedTo, location }: StoreInfo, telling: Telling): Promise<number> {
  if (movedTo === null) return tell(`${location} was not moved.`, { type: 'unchanged' }, telling);
  if (!telling.options.yes) {
    throw new UserError(`If ${movedTo} has the tasks, both stores would be in use at once; add --yes if it has not.`);
  }
  const outcome = available(await source.cancelMove());
  return tell(`${location} is in use again.`, outcome, telling);
}
