import { IN_LANDING, LANDING_LEASE, type Review } from '../../store/review.ts';
import type { Outcome, Store } from '../../store/types.ts';
import { type Clock, repeatEvery } from '../../system/clock.ts';
import { isProcessGone, thisProcess } from '../../system/processLife.ts';
import type { LandingLease, LandingPlace } from './landing.ts';

/** A process that is killed is replaced after this on another machine, and immediately on its own. */
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;

export const leaseName = ({ repository, target }: Pick<LandingPlace, 'repository' | 'target'>): string =>
  `${LANDING_LEASE}${repository} ${target}`;

const SEPARATOR = ' | ';

function ownHolder(): string {
  const { host, pid, pidStart } = thisProcess();
  return [host, pid, pidStart ?? ''].join(SEPARATOR);
}

/** True when the process that had it last is known to have ended. */
function isGone(holder: string): boolean {
  const [host = '', pid = '', pidStart = ''] = holder.split(SEPARATOR);
  return isProcessGone({ host, pid: Number(pid), pidStart: pidStart || null });
}

/** It was accepted, and no process lands on its branch now: a person has to run `stopgate review land`. */
export const isUnlanded = ({ state, landingHolder }: Pick<Review, 'state' | 'landingHolder'>): boolean =>
  IN_LANDING.includes(state) && (landingHolder === null || isGone(landingHolder));

export const describeUnlanded = (count: number): string =>
  `${count} accepted attempt${count === 1 ? ' is' : 's are'} not landed, and no process lands ${count === 1 ? 'it' : 'them'} now: stopgate review land`;

/** For people. */
export function describeHolder(holder: string): string {
  const [host = '', pid = ''] = holder.split(SEPARATOR);
  return `process ${pid} on ${host.split('#')[0]}`;
}

type TakenLease =
  | { readonly type: 'leading'; readonly lease: LandingLease }
  | Exclude<Outcome<'lead'>, { type: 'leading' | 'otherLease' }>;

export async function takeLease(store: Store, place: LandingPlace, clock: Clock): Promise<TakenLease> {
  const term = { name: leaseName(place), holder: ownHolder(), ttlMs: LEASE_MS };
  let led = await store.lead(term);
  if (led.type === 'following' && isGone(led.holder)) {
    await store.resign({ name: term.name, holder: led.holder, epoch: led.epoch });
    led = await store.lead(term);
  }
  // the right to land has nothing to do with the lease of workers, and names none
  if (led.type === 'otherLease') throw new Error('A lease was compared that was not named.');
  if (led.type !== 'leading') return led;
  const { epoch } = led;
  const lost = new AbortController();
  const isHeld = async () => {
    const again = await store.lead(term);
    const isOurs = again.type === 'leading' && again.epoch === epoch;
    // a store that does not answer has not given it to another process
    if (!isOurs && again.type !== 'unavailable') lost.abort('another process lands on this branch now');
    return isOurs;
  };
  const renewing = repeatEvery(clock, RENEW_MS, isHeld);
  const leader = { name: term.name, holder: term.holder, epoch };
  const release = async () => {
    await renewing[Symbol.asyncDispose]();
    await store.resign(leader);
  };
  return { type: 'leading', lease: { leader, lost: lost.signal, isHeld, [Symbol.asyncDispose]: release } };
}
