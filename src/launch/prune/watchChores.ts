import { fireDue } from '../../fleet/schedule/fireDue.ts';
import { worldGit } from '../../stop/worldGit.ts';
import type { Store } from '../../store/types.ts';
import { type Clock, wallNow } from '../../system/clock.ts';
import { formatDuration } from '../../system/formatDuration.ts';
import type { World } from '../../system/world.ts';
import { pushUnpushed } from '../attempt/repository/unpushed.ts';
import { describePrune } from './describePrune.ts';
import { runPrune } from './runPrune.ts';

export interface Chores {
  readonly store: Store;
  readonly world: Pick<World, 'processes' | 'env' | 'cwd' | 'stopgateHome'> & { readonly clock: Clock };
  /** Of the process, for the record. */
  readonly name: string;
  readonly report: (sentence: string) => void;
  readonly signal: AbortSignal;
}

/** Between two looks, at most; many processes look, so their turns are spread. */
const EVERY_MS = 20_000;
const SOONEST_MS = 250;
const POLICY_EVERY_MS = 60 * 60_000;

/** Between two tries to push what a remote did not take. */
const PUSH_EVERY_MS = 5 * 60_000;
/** For a push that is under way when its process ends. */
const FINISH_MS = 10_000;

/**
 * What a store needs now and then, by whichever worker or coordinator comes first: recurring tasks are added when they are due, and
 * its prune policy is applied; and what this machine could not push is pushed. A store that is away is asked again later; who waits
 * for it reports it.
 */
export async function watchChores(chores: Chores): Promise<void> {
  await Promise.all([watchStore(chores), watchUnpushed(chores)]);
}

async function watchUnpushed({ store, world, report, signal }: Chores): Promise<void> {
  const { clock } = world;
  while (!signal.aborted) {
    const pushing = pushUnpushed({ store, world, report }, signal).catch((error: Error) =>
      report(`what remotes had not taken could not be pushed: ${error.message}`),
    );
    await finishOr(pushing, { clock, signal });
    await clock.sleep(PUSH_EVERY_MS, signal);
  }
}

/** Waits for it, but not for long after the signal. */
async function finishOr(
  work: Promise<void>,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
) {
  const over = new AbortController();
  const late = new Promise<void>((resolve) => {
    const end = () => void clock.sleep(FINISH_MS, over.signal).then(resolve);
    signal.addEventListener('abort', end, { once: true, signal: over.signal });
  });
  await Promise.race([work, late]).finally(() => over.abort('it is over'));
}

async function watchStore(chores: Chores): Promise<void> {
  const { world, signal } = chores;
  while (!signal.aborted) {
    const nextInMs = await fire(chores);
    if (!signal.aborted) await applyPolicy(chores);
    const waitMs = Math.min(EVERY_MS * (0.75 + Math.random() / 2), nextInMs);
    if (!signal.aborted) await world.clock.sleep(Math.max(SOONEST_MS, waitMs), signal);
  }
}

async function fire({ store, name, report }: Chores): Promise<number> {
  const fired = await fireDue(store, name, report);
  return fired.type === 'unavailable' ? EVERY_MS : (fired.nextInMs ?? EVERY_MS);
}

async function applyPolicy({ store, world, name, report, signal }: Chores): Promise<void> {
  const policy = await store.policy();
  if (policy.type === 'unavailable' || policy.keepDoneMs === null) return;
  if (policy.lastRunAt !== null && policy.now - policy.lastRunAt < POLICY_EVERY_MS) return;
  if ((await store.takePolicyTurn({ everyMs: POLICY_EVERY_MS })).type !== 'yours') return;
  const wish = { olderThanMs: policy.keepDoneMs, dead: policy.dead };
  const { cwd, stopgateHome } = world;
  const run = { store, git: worldGit(world), cwd, stopgateHome, now: wallNow(world.clock), wish, actor: name, signal };
  const pruned = await runPrune({ ...run, unmerged: false, dryRun: false, isPolicy: true });
  if (pruned.type === 'notNoted') return report(`the policy of the store was not applied. ${pruned.reason}`);
  if (pruned.type === 'unavailable' || pruned.tasks.length + pruned.events + pruned.files.remove.length === 0) return;
  report(
    `the policy of the store removed what ended more than ${formatDuration(policy.keepDoneMs)} ago: ${describePrune(pruned)}`,
  );
}
