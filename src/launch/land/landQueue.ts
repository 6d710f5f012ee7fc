import { isAncestor } from '../../git/landing/combineWork.ts';
import type { Review } from '../../store/types.ts';
import { hasCommit } from '../attempt/repository/commits.ts';
import { fetchStart } from '../attempt/repository/fetchStart.ts';
import { landGroup } from './landGroup.ts';
import { type Landing, type LandingItem, type LandingStopped, namesOf, shortCommit, stopped } from './landing.ts';
import { type LandingChecks, landingChecks } from './landingChecks.ts';
import { describeHolder, takeLease } from './landingLease.ts';
import { cacheIn, landingTarget } from './landingTarget.ts';
import { changed, settleLanded, settleReturned } from './settleReview.ts';

export type QueueEnd =
  /** Nothing is left to land. */
  | { readonly type: 'empty' }
  /** Another process lands on this branch. */
  | { readonly type: 'busy'; readonly holder: string }
  | LandingStopped;

/** So many are checked together; the rest comes after them. */
const LARGEST_BATCH = 16;

/** Lands everything that was accepted for one branch of one repository, as the only process that does. */
export async function landQueue(queue: Omit<Landing, 'lease' | 'checkedTips'>): Promise<QueueEnd> {
  const taken = await takeLease(queue.store, queue.place, queue.world.clock);
  if (taken.type === 'unavailable') return stopped(taken.reason);
  if (taken.type === 'following') return { type: 'busy', holder: describeHolder(taken.holder) };
  await using lease = taken.lease;
  const landing: Landing = { ...queue, lease, checkedTips: new Map() };
  const no = await resolveTaken(landing, null);
  if (no !== null) return no;
  const end = await landAll(landing);
  if (end.type === 'stopped') await resolveTaken(landing, end.reason);
  return end;
}

async function landAll(landing: Landing): Promise<QueueEnd> {
  const { world, place, report } = landing;
  const waiting = await inState(landing, 'accepted');
  if (waiting.type === 'stopped') return waiting;
  if (waiting.items.length === 0) return { type: 'empty' };
  const checks = await landingChecks(place, world);
  if (checks.type === 'unusable') return stopped(checks.reason);
  if (checks.definition === null) report(`${checks.why}: only what tasks name is checked`);
  while (true) {
    const found = await inState(landing, 'accepted');
    if (found.type === 'stopped') return found;
    if (found.items.length === 0) return { type: 'empty' };
    // in the order of their acceptance
    const batch = found.items.toSorted((one, other) => one.updatedAt - other.updatedAt).slice(0, LARGEST_BATCH);
    const no = (await takeAll(batch, landing)) ?? (await landBatch(batch, checks, landing));
    if (no !== null) return no;
  }
}

async function takeAll(batch: readonly LandingItem[], landing: Landing): Promise<LandingStopped | null> {
  for (const item of batch) {
    const no = await changed(item, { from: ['accepted'], to: 'landing', landedCommit: null, reason: null }, landing);
    if (no !== null) return no;
  }
  landing.report(`landing ${namesOf(batch)} on ${landing.place.target}`);
  return null;
}

/** Ends: each round decides at least the first one, or learns that it is red on a red target. */
async function landBatch(
  batch: readonly LandingItem[],
  checks: LandingChecks,
  landing: Landing,
): Promise<LandingStopped | null> {
  const fetched = await fetchAccepted(batch, landing);
  if (fetched.type === 'stopped') return fetched;
  let left = fetched.items;
  while (left.length > 0) {
    const end = await landGroup(left, checks, landing);
    if (end.type === 'stopped') return end;
    left = end.again;
    const no = await whyStuck(left, landing);
    if (no !== null) return no;
  }
  return null;
}

/** What was accepted on another machine is fetched. What the remote does not have goes back to the person. */
async function fetchAccepted(items: readonly LandingItem[], landing: Landing): Promise<Listed> {
  const { git, place, world } = landing;
  const { folder, origin } = place;
  const lacking = await missing(items, landing);
  if (origin === undefined || lacking.length === 0) return { type: 'items', items };
  const branches = lacking.flatMap(({ details }) => details.branch ?? []);
  const request = { folder, remote: origin.remote, base: null, branches };
  const fetched = await fetchStart(git, request, cacheIn(world));
  if (fetched.type === 'failed') return stopped(fetched.reason);
  const gone = await missing(lacking, landing);
  for (const item of gone) {
    const commit = shortCommit(item.reviewedCommit);
    const reason = `Its commit ${commit} is not on ${origin.remote.url}; accept it on the machine that has it.`;
    // another attempt would not bring it back
    const no = await settleReturned({ ...item, returnTo: null }, { reason, notes: reason }, landing);
    if (no !== null) return no;
  }
  return { type: 'items', items: items.filter((item) => !gone.includes(item)) };
}

async function missing(
  items: readonly LandingItem[],
  { git, place }: Pick<Landing, 'git' | 'place'>,
): Promise<readonly LandingItem[]> {
  const found: LandingItem[] = [];
  for (const item of items) if (!(await hasCommit(git, place.folder, item.reviewedCommit))) found.push(item);
  return found;
}

/** All that is left is red on the tip of the target, which fails by itself: only its repair helps. */
async function whyStuck(left: readonly LandingItem[], landing: Landing): Promise<LandingStopped | null> {
  const [first] = left;
  if (first?.redTarget === undefined) return null;
  const { tip, why } = first.redTarget;
  if (!left.every(({ redTarget }) => redTarget?.tip === tip)) return null;
  const now = await landingTarget(landing).tip();
  if (now.type === 'tip' && now.commit !== tip) return null;
  const { target } = landing.place;
  return stopped(
    `${target} itself fails the checks at ${shortCommit(tip)} (${why}), so nothing lands on it; accept work that repairs it, or repair it, then run \`stopgate review land\``,
  );
}

type Listed = { readonly type: 'items'; readonly items: readonly LandingItem[] } | LandingStopped;

async function inState({ store, place }: Landing, state: Review['state']): Promise<Listed> {
  const { repository, target } = place;
  const listed = await store.reviews({ states: [state], repository, target });
  if (listed.type === 'unavailable') return stopped(listed.reason);
  const items = listed.reviews.flatMap(({ reviewedCommit, ...review }) =>
    reviewedCommit === null ? [] : [{ ...review, reviewedCommit }],
  );
  return { type: 'items', items };
}

/**
 * What was taken and is not decided, by a process that was killed or by this one before it stopped: the branch shows whether it had
 * moved. If not, it is accepted as before, with the reason why it has not landed.
 */
async function resolveTaken(landing: Landing, reason: string | null): Promise<LandingStopped | null> {
  const { git, place, report } = landing;
  const left = await inState(landing, 'landing');
  if (left.type === 'stopped') return left;
  const isNeeded = left.items.some(({ landedCommit }) => landedCommit !== null);
  const found = isNeeded ? await landingTarget(landing).tip() : null;
  // while it is not known whether the branch has them, they must not be landed again
  if (found?.type === 'failed') return stopped(found.reason);
  const tip = found?.type === 'tip' ? found.commit : undefined;
  for (const item of left.items) {
    const { landedCommit, taskId } = item;
    const isThere =
      tip !== undefined && landedCommit !== null && (await isAncestor(git, place.folder, [landedCommit, tip]));
    if (isThere) report(`task ${taskId} is on ${place.target} already, which was not recorded`);
    else if (reason === null) report(`the landing of task ${taskId} was interrupted; it begins again`);
    const back = { from: ['landing'], to: 'accepted', landedCommit: null, reason } as const;
    const no = isThere ? await settleLanded(item, landedCommit, landing) : await changed(item, back, landing);
    if (no !== null) return no;
  }
  return null;
}
