import { type Composition, composeGroup } from './composeGroup.ts';
import {
  type Landing,
  type LandingItem,
  type LandingPlace,
  type LandingStopped,
  namesOf,
  shortCommit,
  stopped,
} from './landing.ts';
import {
  type Checked,
  checkResult,
  commandsIn,
  failuresOf,
  hasChecks,
  type LandingChecks,
  type Result,
  whyTargetFails,
} from './landingChecks.ts';
import { landingTarget } from './landingTarget.ts';
import { changed, settleLanded, settleReturned } from './settleReview.ts';

export type GroupEnd =
  /** All of them are decided, except those in `again`: they conflicted with one that was before them, or the target is red. */
  { readonly type: 'decided'; readonly again: readonly LandingItem[] } | LandingStopped;

const decided = (again: readonly LandingItem[]): GroupEnd => ({ type: 'decided', again });

/** A branch that others move faster than the checks run. */
const MOST_TRIES = 5;

/**
 * Lands some attempts together: one merged result, one run of the checks. A red result is halved until the attempts that make it red
 * are alone: they go back, the others land.
 */
export async function landGroup(
  items: readonly LandingItem[],
  checks: LandingChecks,
  landing: Landing,
): Promise<GroupEnd> {
  let left = items;
  const again: LandingItem[] = [];
  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    const end = await tryGroup(left, checks, landing);
    if (end.type === 'stopped') return end;
    again.push(...end.again);
    if (end.type === 'decided') return decided(again);
    left = end.left;
    landing.report(`${landing.place.target} was moved by another process; landing on its new tip`);
  }
  return stopped(
    `${landing.place.target} was moved ${MOST_TRIES} times while the checks ran; land again when it is quiet`,
  );
}

type TriedGroup =
  | GroupEnd
  /** Before the checks had ended: these have to be combined again. */
  | { readonly type: 'movedByOthers'; readonly left: readonly LandingItem[]; readonly again: readonly LandingItem[] };

async function tryGroup(items: readonly LandingItem[], checks: LandingChecks, landing: Landing): Promise<TriedGroup> {
  const { place, report } = landing;
  const target = landingTarget(landing);
  const found = await target.tip();
  if (found.type !== 'tip') return stopped(found.reason);
  const { commit: tip } = found;
  const made = await composeGroup(items, tip, landing);
  if (made.type === 'failed') return stopped(made.reason);
  const settled = await settleUncombined(made, tip, landing);
  if (settled.type === 'stopped') return settled;
  const { combined } = made;
  const last = combined.at(-1);
  if (last === undefined) return settled;
  const held = await target.whyHeld(last.commit);
  if (held !== null) return stopped(held.reason);
  const result = { items: combined.map(({ item }) => item), tip, commit: last.commit };
  const next = hasChecks(result, checks) ? 'running the checks' : 'there is nothing to check';
  report(`merged ${namesOf(result.items)} on ${place.target} as ${shortCommit(last.commit)}; ${next}`);
  const checked = await checkResult(result, checks, landing);
  if (checked.type === 'failed') return stopped(`the merged result could not be checked: ${checked.reason}`);
  if (checked.type === 'aborted') return stopped(String(landing.lease.lost.reason));
  const isRed = checked.type === 'judged' && checked.verdict.type === 'reject';
  const end = isRed
    ? await divide(result, { checked, checks }, landing)
    : await moveTo({ ...made, result, isChecked: checked.type === 'judged' }, landing);
  return end.type === 'stopped' ? end : { ...end, again: [...settled.again, ...end.again] };
}

type Judged = Extract<Checked, { type: 'judged' }>;

/** What is on the branch already has landed; what conflicts with the branch goes back; the rest is looked at after the others. */
async function settleUncombined(
  { contained, covered, unusable, conflicts }: Composition,
  tip: string,
  landing: Landing,
): Promise<GroupEnd> {
  const { target } = landing.place;
  for (const item of contained) {
    const no = await settleLanded(item, tip, landing);
    if (no !== null) return no;
  }
  for (const { item, reason: why } of unusable) {
    const reason = `It cannot be combined with ${target}: ${why}`;
    // another attempt would continue from it
    const no = await settleReturned({ ...item, returnTo: null }, { reason, notes: reason }, landing);
    if (no !== null) return no;
  }
  for (const { item, files } of conflicts.filter(({ isOwn }) => isOwn)) {
    const list = listOf(files);
    const reason = `Conflicts with ${target} in ${list}.`;
    const notes = `${reason}\n\nThis work was accepted, but ${target} has changed since it began. Merge ${target} at ${tip} into this branch, resolve the conflicts, and complete the task again.`;
    const no = await settleReturned(item, { reason, notes }, landing);
    if (no !== null) return no;
  }
  return decided([...covered, ...conflicts.flatMap(({ item, isOwn }) => (isOwn ? [] : [item]))]);
}

const MOST_FILES = 5;

function listOf(files: readonly string[]): string {
  const more = files.length - MOST_FILES;
  return `${files.slice(0, MOST_FILES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** One that is red alone is returned, unless the target itself is red; several are halved. */
async function divide(
  { items, tip, commit }: Result,
  { checked, checks }: { readonly checked: Judged; readonly checks: LandingChecks },
  landing: Landing,
): Promise<GroupEnd> {
  const { target } = landing.place;
  const [first] = items;
  if (items.length === 1 && first !== undefined) {
    const whyRed = checked.isByDefinition ? await whyTargetFails({ items, tip, commit }, checks, landing) : null;
    if (whyRed !== null && typeof whyRed !== 'string') return whyRed;
    if (whyRed !== null) return decided([{ ...first, redTarget: { tip, why: whyRed } }]);
    const { verdict } = checked;
    const reason = `On ${target} at ${shortCommit(tip)} it fails: ${failuresOf(verdict)}.`;
    const notes = `${reason}\n\n${verdict.notes ?? ''}\n\nMerge ${target} at ${tip} into this branch first.`;
    const failingPart = verdict.notes?.replace(verdict.reason, '').trim();
    const no = await settleReturned(first, { reason, notes, failingPart }, landing);
    return no ?? decided([]);
  }
  landing.report(`${namesOf(items)} together fail the checks; landing them in halves`);
  const again: LandingItem[] = [];
  const landed = new Set<string>();
  const watched: Landing = {
    ...landing,
    settled: (end) => {
      if (end.type === 'landed') landed.add(end.taskId);
      landing.settled(end);
    },
  };
  for (const half of halves(items)) {
    const ofLanded = commandsIn(items.filter(({ taskId }) => landed.has(taskId)));
    const end = await landGroup(half, { ...checks, ofLanded: [...(checks.ofLanded ?? []), ...ofLanded] }, watched);
    if (end.type === 'stopped') return end;
    again.push(...end.again);
  }
  return decided(again);
}

export function halves<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  const middle = Math.ceil(items.length / 2);
  return [items.slice(0, middle), items.slice(middle)];
}

interface Accepted extends Composition {
  readonly result: Result;
  readonly isChecked: boolean;
}

/**
 * The commits are recorded before the branch moves: the next process can then see on the branch whether it did. Only what the checks
 * accepted can get there, since it moves from the commit that the result was made from, or not at all.
 */
async function moveTo({ combined, result, isChecked }: Accepted, landing: Landing): Promise<TriedGroup> {
  const { lease, place, report } = landing;
  const { tip, commit, items } = result;
  for (const { item, commit: own } of combined) {
    const no = await changed(item, { from: ['landing'], to: 'landing', landedCommit: own }, landing);
    if (no !== null) return no;
  }
  if (isChecked) report(`the checks passed on ${shortCommit(commit)}`);
  if (!(await lease.isHeld())) return stopped('another process may land on this branch now');
  const why = `stopgate: land ${namesOf(items)}`;
  const moved = await landingTarget(landing).move({ commit, from: tip, why });
  if (moved.type === 'movedByOthers') return { type: 'movedByOthers', left: items, again: [] };
  if (moved.type === 'refused') return await returnRefused(items, moved.reason, landing);
  if (moved.type !== 'moved') return stopped(moved.reason);
  report(`${place.target} is now at ${shortCommit(commit)}${pullHint(place)}`);
  for (const { item, commit: own } of combined) {
    const no = await settleLanded(item, own, landing);
    if (no !== null) return no;
  }
  return decided([]);
}

const pullHint = ({ origin }: LandingPlace) =>
  origin === undefined ? '' : ` on ${origin.remote.url}; your own branches are as before, \`git pull\` gets it`;

/** By a rule of the remote, about which another attempt could do nothing: the person decides, also where the queue was chosen. */
async function returnRefused(items: readonly LandingItem[], why: string, landing: Landing): Promise<GroupEnd> {
  const reason = `${landing.place.target} was not moved: ${why}`;
  for (const item of items) {
    const no = await settleReturned({ ...item, returnTo: null }, { reason, notes: reason }, landing);
    if (no !== null) return no;
  }
  return decided([]);
}
