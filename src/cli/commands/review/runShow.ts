import { diffOf, diffText, subjectsOf } from '../../../git/landing/diffStat.ts';
import { isUnlanded } from '../../../launch/land/landingLease.ts';
import { gitAt, openPlaces } from '../../../launch/land/remotePlace.ts';
import { UserError } from '../../../system/userError.ts';
import { thisWorld, type World } from '../../../system/world.ts';
import { paintFor } from '../../output/colors.ts';
import { printResult } from '../../output/printResult.ts';
import { visibleText } from '../../output/visibleText.ts';
import { available, storeTime } from '../../wiring/store/openedStore.ts';
import { openTaskStoreToShow } from '../../wiring/store/openTaskStore.ts';
import type { TaskWorld } from '../../wiring/store/taskWorld.ts';
import { wholeNumber } from '../task/readFlags.ts';
import type { CommonOptions, Flags } from '../task/taskOptions.ts';
import { findReview, REVIEW_STATES } from './findReview.ts';
import { gatherReview, type ReviewFacts } from './gatherReview.ts';
import { runPager } from './personsPrograms.ts';
import { reviewList, reviewPage } from './reviewText.ts';

const DEFAULT_LIMIT = 50;

type ListOptions = CommonOptions & Flags<'queue' | 'limit', 'all'>;

/** `stopgate review`. */
export async function runReviewList(options: ListOptions, taskWorld: TaskWorld): Promise<number> {
  const limit = wholeNumber('--limit', options.limit, { least: 1 }) ?? DEFAULT_LIMIT;
  await using store = await openTaskStoreToShow(options.store, taskWorld);
  const { queue, all, json } = options;
  const listed = available(await store.reviews({ queue, limit: limit + 1, ...(all && { states: REVIEW_STATES }) }));
  const world = thisWorld();
  const places = openPlaces(store, world);
  const reviews: ReviewFacts[] = [];
  for (const review of listed.reviews.slice(0, limit)) reviews.push(await gatherReview(review, places));
  await world.processes.endAll();
  for (const reason of places.unreachable.values()) taskWorld.warn(`some work could not be fetched: ${reason}`);
  const isCut = listed.reviews.length > limit;
  const page = { reviews, now: listed.now, isCut };
  return printResult(
    json ? { now: listed.now, isCut, reviews: reviews.map(jsonOf) } : null,
    world,
    (layout, isTerminal) =>
      reviews.length === 0 ? `${layout.block(NOTHING, 0)}\n` : reviewList(page, layout, isTerminal),
  );
}

const NOTHING =
  'Nothing waits for review. Completed tasks whose worker ran with --worktrees appear here; --all shows those that were decided.';

/** For programs: the review, and what is known about its work. */
export function jsonOf({ review, work, whyNoWork, diff, proof }: ReviewFacts): object {
  return {
    ...review,
    commit: work?.commit ?? null,
    base: work?.base ?? null,
    folder: work?.place.folder ?? null,
    whyNoWork,
    diff,
    proof,
    isUnlanded: isUnlanded(review),
  };
}

type ShowOptions = CommonOptions & Flags<never, 'diff'>;

/** `stopgate review show ID`. */
export async function runReviewShow(id: string, options: ShowOptions, taskWorld: TaskWorld): Promise<number> {
  await using store = await openTaskStoreToShow(options.store, taskWorld);
  const review = await findReview(store, id);
  const now = await storeTime(store);
  const world = thisWorld();
  const places = openPlaces(store, world);
  const facts = await gatherReview(review, places);
  const git = facts.work === null ? places.git : gitAt(facts.work.place, places);
  const range = facts.work && diffOf(facts.work.place.folder, facts.work);
  if (options.diff) {
    if (range === null) throw new UserError(facts.whyNoWork ?? 'Its work is not in this repository.');
    const text = await diffText(git, range);
    await world.processes.endAll();
    return showDiff(text, options, world);
  }
  const subjects = range === null ? [] : await subjectsOf(git, range);
  await world.processes.endAll();
  return printResult(options.json ? { now, ...jsonOf(facts), commits: subjects } : null, world, (page) =>
    reviewPage(facts, { now, subjects }, page),
  );
}

/** The text of an agent must not control the terminal, so git's own colors are not used. */
function showDiff(text: string, { json }: ShowOptions, world: World): Promise<number> {
  if (json) return printResult({ diff: text }, world, () => '');
  const isTerminal = process.stdout.isTTY === true;
  const paint = paintFor(isTerminal, world.env);
  const painted = visibleText(text)
    .split('\n')
    .map((line) => {
      const style = STYLES.find(([start]) => line.startsWith(start))?.[1];
      return style === undefined ? line : paint(style, line);
    })
    .join('\n');
  return isTerminal ? runPager(`${painted}\n`, world) : printResult(null, world, () => `${text}\n`);
}

const STYLES = [
  ['diff ', 'bold'],
  ['+++ ', 'bold'],
  ['--- ', 'bold'],
  ['@@', 'cyan'],
  ['+', 'green'],
  ['-', 'red'],
] as const;
