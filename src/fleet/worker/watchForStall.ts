import type { Lease } from '../../store/types.ts';
import type { Clock } from '../../system/clock.ts';
import { formatSeconds } from '../../system/formatDuration.ts';
import { observerAwakeSince } from '../decisions/observer.ts';
import { decideStall, type StallStage, stallLimitMs } from '../decisions/stall.ts';

/** What an agent's hooks last said. */
export interface AgentActivity {
  /** By the file system: another value says that something happened since, but not how long ago. */
  readonly at: number;
  /** A tool runs, or the checks at a stop. */
  readonly isBusy: boolean;
}

export interface StallSigns {
  /** Null: nothing tells when it gets on, so its silence says nothing. */
  readonly activity: AgentActivity | null;
  readonly lease: Lease | null;
  /** Its account waits, and so does it. */
  readonly isPaused: boolean;
}

/**
 * An agent that lives and does not get on, as its supervisor sees it: somebody who runs one worker has no coordinator to notice. Told
 * at each beat what was seen; says why the agent must be ended, once it must. A new task and a machine that slept begin anew.
 */
export function watchForStall(world: {
  readonly clock: Clock;
  readonly everyMs: number;
  readonly tell: (sentence: string) => void;
}): (signs: StallSigns) => string | null {
  const { clock, everyMs, tell } = world;
  let awakeSince: number | null = null;
  let lastLookAt: number | null = null;
  let attemptId: string | undefined;
  let begunAt = 0;
  let seen: AgentActivity | null = null;
  let told: StallStage | null = null;
  return ({ activity, lease, isPaused }) => {
    const now = clock.now();
    awakeSince = observerAwakeSince({ now, lastLookAt, everyMs, awakeSince });
    lastLookAt = now;
    const isNews = activity?.at !== seen?.at || activity?.isBusy !== seen?.isBusy;
    seen = activity;
    if (isNews || isPaused || lease?.attemptId !== attemptId) begunAt = now;
    attemptId = lease?.attemptId;
    if (activity === null || lease === null) return null;
    const activityAt = Math.max(begunAt, awakeSince);
    const stall = decideStall({ now, activityAt, toolStartedAt: activity.isBusy ? activityAt : null });
    const stage = stall?.stage ?? null;
    const silence = formatSeconds(stall?.silentMs ?? 0);
    if (stage === 'stop') return `it had done nothing for ${silence}`;
    if (stage !== null && stage !== told)
      tell(
        `the agent has done nothing for ${silence}; after ${formatSeconds(stallLimitMs(activity.isBusy))} it is ended`,
      );
    told = stage;
    return null;
  };
}
