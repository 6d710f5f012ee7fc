import { aroundOperations } from '../../store/operationsOver.ts';
import type { Store } from '../../store/types.ts';
import type { Unavailable, UnavailableCause } from '../../store/unavailable.ts';
import type { Clock } from '../../system/clock.ts';

const FIRST_MS = 500;
const LONGEST_MS = 10_000;

export interface StoreWait {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Null: as long as it takes. */
  readonly patienceMs: number | null;
  /** From 0 up to 1: workers that lost their store together do not all come back at the same time. */
  readonly jitter: number;
}

/**
 * Asks again and again, less and less often, until the answer is another one than `unavailable`. A store that has moved will not
 * answer again, so that is not waited for.
 */
export async function awaitAnswer<Answer extends { readonly type: string }>(
  ask: () => Promise<Answer | Unavailable>,
  { clock, signal, patienceMs, jitter }: StoreWait,
): Promise<Answer | Unavailable> {
  const endAt = clock.now() + (patienceMs ?? Number.POSITIVE_INFINITY);
  for (let tries = 0; ; tries++) {
    const answer = await ask();
    if (answer.type !== 'unavailable' || (answer as Unavailable).cause === 'moved') return answer;
    const leftMs = endAt - clock.now();
    if (leftMs <= 0 || signal.aborted) return answer;
    const waitMs = Math.round(Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(tries, 10)) * (0.5 + jitter));
    await clock.sleep(Math.min(waitMs, leftMs), signal);
  }
}

/** A store whose every answer is waited for. */
export const awaitingStore = (store: Store, wait: StoreWait): Store =>
  aroundOperations(store, (operate) => (request) => awaitAnswer(() => operate(request), wait));

interface OpenWait {
  /** Any other cause is returned immediately. */
  readonly waitsFor: readonly UnavailableCause[];
  readonly onAway: (away: Unavailable) => void;
  readonly wait: StoreWait;
}

/** Opens a store that is only busy, or away for a while. */
export async function awaitOpen<Opened extends object>(
  open: () => Promise<Opened | Unavailable>,
  { waitsFor, onAway, wait }: OpenWait,
): Promise<Opened | Unavailable> {
  let isReported = false;
  const answer = await awaitAnswer(async () => {
    const opened = await open();
    const isAway = isUnavailable(opened) && waitsFor.includes(opened.cause);
    if (!isAway) return { type: 'opened', opened } as const;
    if (!isReported) onAway(opened);
    isReported = true;
    return opened;
  }, wait);
  return answer.type === 'opened' ? answer.opened : answer;
}

const isUnavailable = (opened: object): opened is Unavailable => 'type' in opened && opened.type === 'unavailable';
