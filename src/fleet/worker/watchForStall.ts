import type { Lease } from '../../store/types.ts';
import type { Clock } from '../../system/clock.ts';
import { formatSeconds } from '../../system/formatDuration.ts';
import { observerAwakeSince } from '../decisions/observer.ts';
import { decideStall, type StallStage, stallLimitMs } from '../decisions/stall.ts';

/** The last report of an agent's hooks. */
export interface AgentActivity {
  /** From the file system's clock: a change means activity, but not how long ago. */
  readonly at: number;
  /** A tool runs, or the checks at a stop. */
  readonly isBusy: boolean;
}

export interface StallSigns {
  /** Null: no hook reports progress, so silence means nothing. */
  readonly activity: AgentActivity | null;
  readonly lease: Lease | null;
  /** Its account is paused, so it waits. */
  readonly isPaused: boolean;
}

/**
 * Detects an agent that is alive but makes no progress; a single worker has no coordinator to notice. Called at each heartbeat;
 * returns why the agent must be ended, else null. A new task or a sleep of the machine starts over.
 */
export function watchForStall(world: {
  readonly clock: Clock;
  readonly everyMs: number;
  readonly report: (sentence: string) => void;
}): (signs: StallSigns) => string | null {
  const { clock, everyMs, report } = world;
  let awakeSince: number | null = null;
  let lastCheckAt: number | null = null;
  let attemptId: string | undefined;
  let activeAt = 0;
  let seen: AgentActivity | null = null;
  let reported: StallStage | null = null;
  return ({ activity, lease, isPaused }) => {
    const now = clock.now();
    awakeSince = observerAwakeSince({ now, lastCheckAt, everyMs, awakeSince });
    lastCheckAt = now;
    const isNews = activity?.at !== seen?.at || activity?.isBusy !== seen?.isBusy;
    seen = activity;
    if (isNews || isPaused || lease?.attemptId !== attemptId) activeAt = now;
    attemptId = lease?.attemptId;
    if (activity === null || lease === null) return null;
    const activityAt = Math.max(activeAt, awakeSince);
    const stall = decideStall({ now, activityAt, toolStartedAt: activity.isBusy ? activityAt : null });
    const stage = stall?.stage ?? null;
    const silence = formatSeconds(stall?.silentMs ?? 0);
    if (stage === 'stop') return `it made no progress for ${silence}`;
    if (stage !== null && stage !== reported)
      report(
        `the agent has made no progress for ${silence}; it will be ended after ${formatSeconds(stallLimitMs(activity.isBusy))}`,
      );
    reported = stage;
    return null;
  };
}
