import type { LandingPlace } from '../../../launch/land/landing.ts';
import { placeWork, targetOf } from '../../../launch/land/landingPlace.ts';
import { openPlaces, type Places } from '../../../launch/land/remotePlace.ts';
import type { ReviewConfig } from '../../../schemas/reviewConfig.ts';
import { UserError } from '../../../system/userError.ts';
import { thisWorld, type World } from '../../../system/world.ts';
import { available, type LandingMethod, type Review, type Store } from '../../wiring/store/openedStore.ts';
import { openTaskStore } from '../../wiring/store/openTaskStore.ts';
import type { WaitingWorld } from '../../wiring/store/taskWorld.ts';
import type { CommonOptions, Flags } from '../task/taskOptions.ts';
import { dryRun } from './dryRun.ts';
import { findOpenReview } from './findReview.ts';
import { landAndReport, queuesOf } from './landAndReport.ts';
import { proposeAll } from './proposeAll.ts';
import { readReviewConfig } from './reviewConfig.ts';

export type AcceptOptions = CommonOptions &
  Flags<'into' | 'prCommand' | 'queue', 'merge' | 'rebase' | 'squash' | 'requeue' | 'dryRun' | 'all' | 'pr'> & {
    readonly land?: boolean;
  };

/** Work that is about to be accepted, and where it goes. */
export interface AcceptedWork {
  readonly review: Review;
  readonly place: LandingPlace;
  readonly commit: string;
  readonly base: string | undefined;
  readonly method: LandingMethod;
}

/** What every way of accepting needs. */
export interface Accepting {
  readonly store: Store;
  readonly world: World;
  readonly places: Places;
  readonly actor: string;
  readonly options: AcceptOptions;
  readonly out: WaitingWorld;
}

/** `stopgate review accept ID…`. */
export async function runAccept(ids: readonly string[], options: AcceptOptions, out: WaitingWorld): Promise<number> {
  await using store = await openTaskStore(options.store, out);
  const world = thisWorld();
  const config = readReviewConfig(world.stopgateHome);
  const accepting = {
    store,
    world,
    places: openPlaces(store, world),
    actor: out.env.USER || 'command line',
    options,
    out,
  };
  const work: AcceptedWork[] = [];
  for (const review of await chosen(store, ids, options)) work.push(await placed(review, config, accepting));
  if (options.dryRun) return await dryRun(work, accepting);
  if (options.pr || options.prCommand !== undefined)
    return await proposeAll(work, options.prCommand ?? config.prCommand, accepting);
  for (const one of work) await accept(one, accepting);
  if (options.land === false) {
    for (const { review, place } of work) out.warn(`task ${review.taskId} is in the landing queue of ${place.target}`);
    if (options.json)
      out.print(
        `${JSON.stringify({ results: work.map(({ review }) => ({ taskId: review.taskId, type: 'accepted' })) })}\n`,
      );
    return 0;
  }
  return await landAndReport(
    queuesOf(work.map(({ place }) => place)),
    work.map(({ review }) => review),
    accepting,
  );
}

async function chosen(store: Store, ids: readonly string[], { all, queue }: AcceptOptions): Promise<readonly Review[]> {
  if ((all === true) === ids.length > 0)
    throw new UserError('Name tasks by their ids, or give --all for everything that waits.');
  if (!all) {
    const found: Review[] = [];
    for (const id of new Set(ids)) found.push(await findOpenReview(store, id, ['waiting', 'returned']));
    return found;
  }
  const { reviews } = available(await store.reviews({ queue, states: ['waiting'] }));
  if (reviews.length === 0) throw new UserError('Nothing waits for review.');
  return reviews;
}

async function placed(review: Review, config: ReviewConfig, { places, options }: Accepting): Promise<AcceptedWork> {
  // a person looks at the commit of the attempt, also when an older one was accepted before
  const found = await placeWork({ ...review, reviewedCommit: null }, places);
  if (found.type === 'notHere') throw new UserError(found.reason);
  const target = await targetOf(found, options.into ?? config.into, places);
  if (typeof target !== 'string') throw new UserError(target.reason);
  const { commit, base } = found;
  return { review, place: { ...found.place, target }, commit, base, method: methodOf(options, config) };
}

const METHODS = ['merge', 'rebase', 'squash'] as const;

function methodOf(options: AcceptOptions, { method = 'merge' }: ReviewConfig): LandingMethod {
  const [first, second] = METHODS.filter((name) => options[name]);
  if (second !== undefined) throw new UserError(`Choose one of --${first} and --${second}.`);
  return first ?? method;
}

async function accept({ review, place, commit, method }: AcceptedWork, accepting: Accepting): Promise<void> {
  const { repository, target } = place;
  const answer = available(
    await accepting.store.changeReview({
      ...{ taskId: review.taskId, epoch: review.epoch, from: ['waiting', 'returned'], to: 'accepted' },
      ...{ repository, target, method, reviewedCommit: commit, landedCommit: null, reason: null },
      returnTo: accepting.options.requeue ? 'queue' : null,
      actor: accepting.actor,
    }),
  );
  if (answer.type === 'changed') return;
  const now = answer.type === 'refused' && answer.reason === 'state' ? answer.state : 'gone';
  throw new UserError(`Task ${review.taskId} was not accepted: it is ${now} now.`, 1);
}
