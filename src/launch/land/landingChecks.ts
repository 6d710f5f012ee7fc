import path from 'node:path';
import { type CleanCheckout, cleanCheckout } from '../../git/cleanCheckout.ts';
import { failureOf } from '../../git/git.ts';
import { treeDigest } from '../../git/treeDigest.ts';
import type { Frozen } from '../../stop/frozen/frozen.ts';
import { protectedStart, treeState } from '../../stop/frozen/protectedFiles.ts';
import { recordVerification } from '../../stop/verify/recordVerification.ts';
import type { Verdict } from '../../stop/verify/verdict.ts';
import { commandsOf, frozenCommands } from '../../stop/verify/verificationRecord.ts';
import { type VerifiedWork, verifyWork } from '../../stop/verify/verifyWork.ts';
import { definitionHere, type VerifierWorld } from '../verify/planVerification.ts';
import {
  type Landing,
  type LandingItem,
  type LandingPlace,
  type LandingStopped,
  shortCommit,
  stopped,
} from './landing.ts';

/** What a merged result has to pass. */
export interface LandingChecks {
  readonly type: 'checks';
  /** Null without one. */
  readonly definition: { readonly frozen: Frozen; readonly protect: readonly string[] } | null;
  /** Why there is none. */
  readonly why: string | null;
  /** Commands of attempts that landed out of a result that was red: the rest of it must not bring that result to the branch. */
  readonly ofLanded?: readonly string[];
}

export type NoChecks = { readonly type: 'unusable'; readonly reason: string };

/** Read once, before anything lands: the definition that a person trusted, not what the work made of it. */
export async function landingChecks(
  { folder, origin }: Pick<LandingPlace, 'folder' | 'origin'>,
  world: VerifierWorld,
): Promise<LandingChecks | NoChecks> {
  if (origin !== undefined && !origin.isOwnClone) {
    const why = `${world.cwd} is not a clone of ${origin.remote.url}, so no definition of done that you trusted is known`;
    return { type: 'checks', definition: null, why };
  }
  const here = await definitionHere({ ...world, cwd: folder });
  if (here.type === 'frozen') return { type: 'checks', definition: here, why: null };
  if (here.type === 'none') return { type: 'checks', definition: null, why: here.reason };
  return { type: 'unusable', reason: here.reason };
}

export interface Result {
  readonly items: readonly LandingItem[];
  /** Of the target, before. */
  readonly tip: string;
  readonly commit: string;
}

type Judged = Extract<VerifiedWork, { type: 'judged' }> & {
  /** By the definition of done, not by commands that a task names. */
  readonly isByDefinition: boolean;
};

export type Checked = Judged | Extract<VerifiedWork, { type: 'failed' | 'aborted' }> | { readonly type: 'unchecked' };

/** The commands that these tasks name, each once. */
export const commandsIn = (items: readonly Pick<LandingItem, 'verify'>[]): readonly string[] => [
  ...new Set(items.flatMap(({ verify }) => (verify && commandsOf(verify).length > 0 ? [verify] : []))),
];

/** Whether anything will run on a merged result. */
export const hasChecks = ({ items }: Pick<Result, 'items'>, { definition, ofLanded = [] }: LandingChecks): boolean =>
  definition !== null || ofLanded.length > 0 || commandsIn(items).length > 0;

/** Runs the definition of done, and the commands that the tasks name, on a merged result. */
export async function checkResult(result: Result, checks: LandingChecks, landing: Landing): Promise<Checked> {
  try {
    let last: Checked = { type: 'unchecked' };
    for (const { frozen, isByDefinition } of await definitionsOf(result, checks, landing)) {
      const verified = await verifyResult(result, frozen, landing);
      if (verified.type !== 'judged') return verified;
      last = { ...verified, isByDefinition };
      record(result, frozen, verified, landing);
      if (verified.verdict.type === 'reject') return last;
    }
    return last;
  } catch (error) {
    return failureOf(error);
  }
}

/**
 * Why the target branch itself fails the definition of done; null when it passes. When that cannot be found out, no attempt may be
 * blamed.
 */
export async function whyTargetFails(
  { items, tip }: Result,
  { definition }: LandingChecks,
  landing: Landing,
): Promise<string | LandingStopped | null> {
  if (definition === null) return null;
  const known = landing.checkedTips.get(tip);
  if (known !== undefined) return known;
  landing.report(`checking ${landing.place.target} itself at ${shortCommit(tip)}`);
  const verified = await protectedAt(tip, definition, landing)
    .then((frozen) => verifyResult({ items, tip, commit: tip }, frozen, landing))
    .catch(failureOf);
  if (verified.type === 'aborted') return stopped(String(landing.lease.lost.reason));
  if (verified.type === 'failed')
    return stopped(`${landing.place.target} itself could not be checked: ${verified.reason}`);
  const why = verified.verdict.type === 'pass' ? null : failuresOf(verified.verdict);
  landing.checkedTips.set(tip, why);
  return why;
}

/** `rule exited 1`. */
export const failuresOf = ({ reason }: Pick<Verdict, 'reason'>): string =>
  reason.replace(/^Verification failed in a clean checkout of \w+: /, '').replace(/\.$/, '');

function verifyResult(result: Result, frozen: Frozen, { world, place, git, lease }: Landing): Promise<VerifiedWork> {
  const work = { frozen, commit: result.commit, baseCommit: result.tip, repository: place.folder };
  const attempt = { ...ofLanding(result), workerId: 'review', incarnation: 0 };
  return verifyWork({ work, attempt, signal: lease.lost }, { ...world, git });
}

async function definitionsOf({ items, tip }: Result, { definition, ofLanded = [] }: LandingChecks, landing: Landing) {
  const commands = new Set([...ofLanded, ...commandsIn(items)]);
  const named = commands.size === 0 ? [] : await namedCommands([...commands], tip, landing);
  const own = named.map((frozen) => ({ frozen, isByDefinition: false }));
  if (definition === null) return own;
  return [{ frozen: await protectedAt(tip, definition, landing), isByDefinition: true }, ...own];
}

/** With the scripts of the person's folder; for a remote, whose own clone has no files, with those of the target branch. */
async function namedCommands(commands: readonly string[], tip: string, landing: Landing): Promise<readonly Frozen[]> {
  const { world, place } = landing;
  const freezeIn = async (folder: string) => {
    const named = await Promise.all(commands.map((verify) => frozenCommands(verify, folder, world)));
    return named.flatMap((frozen) => frozen ?? []);
  };
  if (place.origin === undefined) return await freezeIn(place.folder);
  await using open = await checkoutAt(tip, landing);
  return await freezeIn(open.path);
}

async function checkoutAt(tip: string, { git, place, world }: Landing): Promise<CleanCheckout> {
  const parent = path.join(world.stopgateHome, 'land');
  const checkout = await cleanCheckout(git, { folder: place.folder, commit: tip, parent });
  if (checkout.type === 'failed') throw new Error(checkout.reason);
  return checkout;
}

/** Protected files must stay as they are on the target branch, which may be further than the folder of the definition. */
async function protectedAt(
  tip: string,
  { frozen, protect }: NonNullable<LandingChecks['definition']>,
  landing: Landing,
): Promise<Frozen> {
  if (protect.length === 0) return frozen;
  await using open = await checkoutAt(tip, landing);
  const state = treeState(await treeDigest(landing.git, { folder: open.path }));
  if (typeof state === 'string') throw new Error(state);
  const folder = path.join(open.path, path.relative(frozen.topLevel, path.dirname(frozen.file)));
  return { ...frozen, protectedStart: protectedStart(protect, folder, state) };
}

/** The name of its checks in the ledger: those of the first task, as a landing. */
const ofLanding = ({ items }: Result) => {
  const [first] = items;
  return { taskId: `${first?.taskId}-landing`, epoch: first?.epoch ?? 0 };
};

function record(result: Result, frozen: Frozen, judged: Omit<Judged, 'isByDefinition'>, landing: Landing): void {
  const { verdict, tree, durationMs } = judged;
  const attempt = { ...ofLanding(result), result: null };
  const recorded = { attempt, frozen, verdict, tree, durationMs, verifier: landing.actor, judge: null };
  for (const problem of recordVerification(recorded, landing.world).problems) landing.report(problem);
}
