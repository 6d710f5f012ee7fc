import type { KeptState } from './keptStates.ts';

/** A time by both clocks of a machine: the wall clock, which can be set, and the time since boot. */
export interface PruneTime {
  readonly wall: number;
  /** Null where the system does not provide it. */
  readonly boot: { readonly id: string; readonly ms: number } | null;
}

/** When a state was first seen to be too old, by its commit. */
export type PruneMarks = Readonly<Record<string, PruneTime>>;

export interface PruneFacts {
  readonly states: readonly Pick<KeptState, 'commit' | 'keptAt' | 'record'>[];
  readonly marks: PruneMarks;
  readonly now: PruneTime;
  readonly olderThanMs: number;
}

export interface PruneDecision {
  /** By commit. */
  readonly remove: ReadonlySet<string>;
  /** Those that are too old, for the first time, by a clock that may be wrong. */
  readonly announce: ReadonlySet<string>;
  readonly marks: PruneMarks;
}

/** The time to notice a wrong clock. */
const DAY_MS = 86_400_000;

/**
 * Which states are removed. For a state kept since the machine booted, the time since boot counts, which cannot be set.
 * For any other there is only the wall clock, which can be wrong: such a state is announced first and removed a day later
 * if it is still too old.
 */
export function decidePrune({ states, marks, now, olderThanMs }: PruneFacts): PruneDecision {
  const remove = new Set<string>();
  const announce = new Set<string>();
  const next: Record<string, PruneTime> = {};
  for (const state of states) {
    const { commit } = state;
    const certain = ageSinceBoot(state, now);
    if (certain !== undefined) {
      if (certain > olderThanMs) remove.add(commit);
      continue;
    }
    if (now.wall - state.keptAt <= olderThanMs) continue;
    const mark = marks[commit];
    if (mark !== undefined && hasWaited(mark, now)) {
      remove.add(commit);
      continue;
    }
    if (mark === undefined) announce.add(commit);
    next[commit] = mark ?? now;
  }
  return { remove, announce, marks: next };
}

function ageSinceBoot({ record }: PruneFacts['states'][number], { boot }: PruneTime): number | undefined {
  const [id, ms] = record.boot?.split(' ') ?? [];
  return boot !== null && id === boot.id ? boot.ms - Number(ms) : undefined;
}

/** By the time since boot, if the machine has not restarted. */
function hasWaited(mark: PruneTime, now: PruneTime): boolean {
  if (mark.boot && now.boot && mark.boot.id === now.boot.id) return now.boot.ms - mark.boot.ms >= DAY_MS;
  return now.wall - mark.wall >= DAY_MS;
}
