import path from 'node:path';
import { type Composition, composeGroup } from '../../../launch/land/composeGroup.ts';
import { namesOf, shortCommit } from '../../../launch/land/landing.ts';
import { landingChecks } from '../../../launch/land/landingChecks.ts';
import { placeWork, targetOf } from '../../../launch/land/landingPlace.ts';
import { landingTarget } from '../../../launch/land/landingTarget.ts';
import { gitAt, openPlaces } from '../../../launch/land/remotePlace.ts';
import { jsonValue } from '../../../schemas/jsonValue.ts';
import { type ReviewConfig, reviewConfig } from '../../../schemas/reviewConfig.ts';
import { readTextFileSync } from '../../../system/readTextFile.ts';
import { UserError } from '../../../system/userError.ts';
import { thisWorld } from '../../../system/world.ts';
import { available, type LandingMethod, type Review, type ReviewState } from '../../wiring/store/openedStore.ts';
import { openTaskStore } from '../../wiring/store/openTaskStore.ts';
import type { WaitingWorld } from '../../wiring/store/taskWorld.ts';
import type { AcceptedWork, Accepting, AcceptOptions } from './accepting.ts';
import { findReview, whyDecided } from './findReview.ts';
import { groupedByPlace, landAndReport, queuesOf } from './landAndReport.ts';
import { openerOf, proposeAll } from './proposeAll.ts';

/** `stopgate review accept ID…`. */
export async function runAccept(ids: readonly string[], options: AcceptOptions, out: WaitingWorld): Promise<number> {
  await using store = await openTaskStore(options.store, out);
  const world = thisWorld();
  const config = readReviewConfig(world.stopgateHome);
  const accepting = {
    store,
    world,
    places: openPlaces(store, world),
    actor: out.actor,
    options,
    out,
  };
  const isProposal = options.pr || options.prCommand !== undefined || options.prWebhook !== undefined;
  // before anything is fetched
  const opener = isProposal ? await openerOf(options, config, accepting) : null;
  const work: AcceptedWork[] = [];
  for (const review of await chosen(ids, accepting)) work.push(await placed(review, config, accepting));
  if (options.dryRun) return await dryRun(work, accepting);
  if (opener !== null) return await proposeAll(work, opener, accepting);
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

/** Accepted before: what is asked for has happened, and the others of the same command need not wait. */
const ACCEPTED: readonly ReviewState[] = ['accepted', 'landing', 'landed'];

/** All of them are checked before the first is accepted. */
async function chosen(ids: readonly string[], { store, options, out }: Accepting): Promise<readonly Review[]> {
  const { all, queue } = options;
  if ((all === true) === ids.length > 0)
    throw new UserError('Name tasks by their ids, or give --all for everything that waits.');
  if (!all) {
    const found: Review[] = [];
    const alreadyDecided: string[] = [];
    for (const id of new Set(ids)) {
      const review = await findReview(store, id);
      const decided = whyDecided(review, ['waiting', 'returned']);
      if (decided === null) found.push(review);
      else if (ACCEPTED.includes(review.state)) alreadyDecided.push(decided);
      else throw new UserError(decided);
    }
    if (found.length === 0) throw new UserError(alreadyDecided[0] ?? 'Nothing is left to accept.');
    for (const sentence of alreadyDecided) out.warn(sentence);
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

const LARGEST = 64 * 1024;

/** The user's own defaults; empty without a file. */
function readReviewConfig(stopgateHome: string): ReviewConfig {
  const file = path.join(stopgateHome, 'review.json');
  const read = readTextFileSync(file, LARGEST);
  if (read.type !== 'read') return {};
  const parsed = reviewConfig.safeParse(jsonValue(read.text) ?? null);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UserError(
    `${file}: ${issue?.path.join('.') || 'the file'}: ${issue?.message}; correct it, or remove the file.`,
  );
}

/** Combines the work without changing the store or a branch; the checks do not run. Ends with 1 if not all of it would land. */
async function dryRun(work: readonly AcceptedWork[], { places, world, options, out }: Accepting): Promise<number> {
  const results: object[] = [];
  const lines: string[] = [];
  let wouldLand = true;
  for (const [place, group] of groupedByPlace(work)) {
    const git = gitAt(place, places);
    const found = await landingTarget({ git, world, place }).tip();
    if (found.type !== 'tip') throw new UserError(`${found.reason}.`.replace(/\.\.$/, '.'), 1);
    const { commit: tip } = found;
    const items = group.map(({ review, commit, method }) => ({ ...review, method, reviewedCommit: commit }));
    const made = await composeGroup(items, tip, { git, world, place });
    if (made.type === 'failed') throw new UserError(made.reason, 1);
    const checks = await landingChecks(place, world);
    const what =
      checks.type === 'unusable'
        ? checks.reason
        : checks.definition === null
          ? 'no definition of done'
          : 'the definition of done';
    wouldLand &&= made.conflicts.length + made.unusable.length === 0 && checks.type !== 'unusable';
    lines.push(...linesOf(made, place.target), `The checks would be: ${what}.`);
    results.push({ target: place.target, tip, checks: what, ...jsonOf(made) });
  }
  await world.processes.endAll();
  out.print(options.json ? `${JSON.stringify({ dryRun: true, results })}\n` : `${lines.join('\n')}\n`);
  return wouldLand ? 0 : 1;
}

function linesOf(
  { combined, contained, covered, unusable, conflicts }: Composition,
  target: string,
): readonly string[] {
  const last = combined.at(-1);
  const clean = last && `${namesOf(combined.map(({ item }) => item))} would be landed on ${target} without conflicts.`;
  return [
    ...(clean === undefined ? [] : [clean]),
    ...contained.map(({ taskId }) => `${taskId} is on ${target} already.`),
    ...covered.map(({ taskId }) => `${taskId} is in the work before it.`),
    ...unusable.map(({ item, reason }) => `${item.taskId} cannot be combined with ${target}: ${reason}`),
    ...conflicts.map(({ item, files, isOwn }) => {
      const other = isOwn ? target : 'the work before it';
      return `${item.taskId} conflicts with ${other} in ${files.join(', ')}.`;
    }),
  ];
}

const jsonOf = ({ combined, contained, covered, conflicts }: Composition) => ({
  clean: combined.map(({ item, commit }) => ({ taskId: item.taskId, commit: shortCommit(commit) })),
  contained: contained.map(({ taskId }) => taskId),
  covered: covered.map(({ taskId }) => taskId),
  conflicts: conflicts.map(({ item, files, isOwn }) => ({ taskId: item.taskId, files, withTarget: isOwn })),
});
