/** How a worker's run ended, as recorded by `endLaunch` and `stopWorker`. */
export const RUN_ENDINGS = ['idle', 'drained', 'rateLimited', 'clean', 'crashed', 'launchFailed'] as const;
export type RunEnding = (typeof RUN_ENDINGS)[number];

/** One ended run in a slot or on a host. */
export interface RunEnd {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly ending: RunEnding;
  /** It settled a task, or changed its tree. */
  readonly madeProgress: boolean;
}

const MINUTE_MS = 60_000;

const SLOT_POLICY = {
  firstDelayMs: 2_000,
  longestDelayMs: 5 * MINUTE_MS,
  /** A run of this length with progress clears earlier failures. */
  stableMs: 5 * MINUTE_MS,
  /** This many bad ends within the window are a crash loop, which pauses restarts. */
  loopEnds: 5,
  loopWindowMs: 10 * MINUTE_MS,
  loopRestMs: 15 * MINUTE_MS,
  /** Clean exits without progress that pause restarts. */
  fruitlessEnds: 5,
};

type RestartPolicy = Readonly<typeof SLOT_POLICY>;

/** One policy per possible cause: the slot's command, or the whole host. */
export const RESTART_POLICIES = {
  slot: SLOT_POLICY,
  host: { ...SLOT_POLICY, firstDelayMs: 0, loopEnds: 20, loopRestMs: 5 * MINUTE_MS, fruitlessEnds: 30 },
} as const;

export interface RestartFacts {
  readonly now: number;
  /** Newest first. */
  readonly ends: readonly RunEnd[];
  readonly policy: RestartPolicy;
  /** From 0 up to 1, stable between calls: see `jitterOf`. */
  readonly jitter: number;
}

export type RestartDecision =
  | { readonly type: 'start' }
  | {
      readonly type: 'wait';
      readonly untilAt: number;
      readonly why: 'continuation' | 'backoff' | 'crashLoop' | 'fruitless';
    };

/** A clean exit with progress continues almost immediately: it is not a retry. */
const CONTINUE_MS = 1_000;

/** May it be restarted, and when? */
export function decideRestart({ now, ends, policy: limits, jitter }: RestartFacts): RestartDecision {
  const streak = badStreak(ends, limits);
  const last = ends[0];
  if (last === undefined) return { type: 'start' };
  if (streak.length === 0)
    return last.ending === 'clean' ? due(now, last.endedAt + CONTINUE_MS, 'continuation') : { type: 'start' };
  const newest = (streak[0] ?? last).endedAt;
  const crashes = streak.filter(({ ending }) => ending !== 'clean');
  const recent = crashes.filter(({ endedAt }) => endedAt > newest - limits.loopWindowMs);
  const restAt = newest + limits.loopRestMs * (1 + jitter / 10);
  if (recent.length >= limits.loopEnds) return due(now, restAt, 'crashLoop');
  if (streak.length - crashes.length >= limits.fruitlessEnds) return due(now, restAt, 'fruitless');
  const doubled = limits.firstDelayMs * 2 ** Math.min(streak.length - 1, 30);
  return due(now, newest + Math.min(doubled, limits.longestDelayMs) * (0.5 + jitter), 'backoff');
}

/** The bad ends since the last good run; ends without fault are skipped. */
function badStreak(ends: readonly RunEnd[], { stableMs }: RestartPolicy): readonly RunEnd[] {
  const healthy = ends.findIndex(
    ({ startedAt, endedAt, madeProgress, ending }) =>
      madeProgress && (ending === 'clean' || endedAt - startedAt >= stableMs),
  );
  return ends.slice(0, healthy === -1 ? undefined : healthy).filter(isBad);
}

/** A crash counts even after progress; a clean exit only without. */
function isBad({ ending, madeProgress }: RunEnd): boolean {
  return ending === 'crashed' || ending === 'launchFailed' || (ending === 'clean' && !madeProgress);
}

function due(now: number, at: number, why: Extract<RestartDecision, { type: 'wait' }>['why']): RestartDecision {
  const untilAt = Math.ceil(at);
  return untilAt <= now ? { type: 'start' } : { type: 'wait', untilAt, why };
}

/**
 * A number from 0 up to 1 that depends on a name alone: a decision repeated at every tick must not change by chance, and two
 * coordinators must reach the same one.
 */
export function jitterOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < name.length; index += 1) hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193);
  // names that differ only in their last digit must end up far apart
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 4_294_967_296;
}
