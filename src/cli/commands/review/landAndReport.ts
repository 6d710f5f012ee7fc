import type { LandingPlace } from '../../../launch/land/landing.ts';
import { landQueue } from '../../../launch/land/landQueue.ts';
import { gitAt } from '../../../launch/land/remotePlace.ts';
import { IN_LANDING } from '../../../store/review.ts';
import { available, type Review } from '../../wiring/store/openedStore.ts';
import type { AcceptedWork, Accepting } from './accepting.ts';
import { REVIEW_STATES } from './findReview.ts';
import { reasonOf } from './reviewText.ts';

const keyOf = ({ repository, target }: LandingPlace) => JSON.stringify([repository, target]);

/** One per repository and branch. */
export const queuesOf = (places: readonly LandingPlace[]): readonly LandingPlace[] => [
  ...new Map(places.map((place) => [keyOf(place), place])).values(),
];

export const groupedByPlace = (
  work: readonly AcceptedWork[],
): readonly (readonly [LandingPlace, readonly AcceptedWork[]])[] =>
  queuesOf(work.map(({ place }) => place)).map((place) => [
    place,
    work.filter((one) => keyOf(one.place) === keyOf(place)),
  ]);

/** Another process may land what this one accepted; so often it is looked for. */
const LOOK_MS = 500;

/** Lands the queues until everything of this command is decided; returns its exit code. */
export async function landAndReport(
  queues: readonly LandingPlace[],
  own: readonly Pick<Review, 'taskId' | 'epoch'>[],
  accepting: Accepting,
): Promise<number> {
  const reasons: string[] = [];
  for (const place of queues) {
    const reason = await landOne(place, own, accepting);
    if (reason !== null) reasons.push(reason);
  }
  await accepting.world.processes.endAll();
  return report({ own, queues, reasons }, accepting);
}

/** Null when the queue is empty, or everything of this command is decided; else why not. */
async function landOne(
  place: LandingPlace,
  own: readonly Pick<Review, 'taskId' | 'epoch'>[],
  { store, world, places, actor, out }: Accepting,
): Promise<string | null> {
  const git = gitAt(place, places);
  let isWaiting = false;
  while (!out.signal.aborted) {
    const ended = await landQueue({ store, world, git, place, actor, report: out.warn, settled: () => {} });
    if (ended.type === 'stopped') return ended.reason;
    if (ended.type === 'empty') return null;
    if (!isWaiting) out.warn(`${ended.holder} lands on ${place.target} now; waiting for it`);
    isWaiting = true;
    const left = (await statesOf(own, store)).filter(({ state }) => IN_LANDING.includes(state));
    if (own.length > 0 && left.length === 0) return null;
    await world.clock.sleep(LOOK_MS, out.signal);
  }
  return 'interrupted; what was accepted stays in the landing queue';
}

async function statesOf(own: readonly Pick<Review, 'taskId' | 'epoch'>[], store: Accepting['store']) {
  const found: Review[] = [];
  for (const { taskId, epoch } of own) {
    const { reviews } = available(await store.reviews({ taskId, states: REVIEW_STATES }));
    found.push(...reviews.filter((review) => review.epoch === epoch));
  }
  return found;
}

interface Ended {
  readonly own: readonly Pick<Review, 'taskId' | 'epoch'>[];
  readonly queues: readonly LandingPlace[];
  /** Why not everything was landed. */
  readonly reasons: readonly string[];
}

async function report({ own, queues, reasons }: Ended, { store, options, out }: Accepting): Promise<number> {
  const reviews = await statesOf(own, store);
  const results = reviews.map(({ taskId, epoch, state, target, landedCommit, reason }) => ({
    ...{ taskId, epoch, type: state, target, commit: landedCommit, reason },
  }));
  if (options.json) out.print(`${JSON.stringify({ results, problems: reasons })}\n`);
  for (const review of options.json ? [] : reviews) {
    const queue = queues.find(({ repository }) => repository === review.repository);
    const sentence = `Task ${review.taskId} ${describe(review, queue?.origin?.remote.url)}`;
    if (review.state === 'landed') out.print(`${sentence}\n`);
    else out.warn(sentence);
  }
  for (const reason of options.json ? [] : reasons)
    out.warn(`Not everything was landed: ${reason.replace(/\.$/, '')}.`);
  const isFine = reasons.length === 0 && reviews.every(({ state }) => state === 'landed');
  return isFine ? 0 : 1;
}

function describe({ state, target, landedCommit, ...review }: Review, url: string | undefined): string {
  const { reason } = reasonOf(review);
  const why = reason === null ? '' : ` ${reason}`;
  const where = url === undefined ? '' : `; it is on ${url}, and \`git pull\` gets it`;
  if (state === 'landed') return `has landed on ${target} as ${landedCommit?.slice(0, 12)}${where}.`;
  if (state === 'returned') return `was returned.${why} \`stopgate review show ${review.taskId}\` has all of it.`;
  if (state === 'rejected') return `was returned, and is queued again.${why}`;
  return `stays in the landing queue of ${target}; \`stopgate review land\` tries again.`;
}
