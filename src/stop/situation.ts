import { existsSync } from 'node:fs';
import path from 'node:path';
import type { TrustPlace } from './checks/folderTrust.ts';
import type { StopSituation } from './exemptions.ts';
import { openTasks } from './openTasks.ts';
import { OVER, type Payload, sessionIdOf } from './payload.ts';

export type StopSurroundings = Pick<
  StopSituation,
  'switchedOff' | 'insideCheck' | 'remainingSeconds' | 'tokensOver' | 'isHostStuck'
>;

/** For all sessions by a file in Stopgate's home, for one by its environment. */
export function isSwitchedOff({ env, stopgateHome }: TrustPlace): boolean {
  return env.STOPGATE_OFF === '1' || existsSync(path.join(stopgateHome, 'off'));
}

/** How a turn ended, read from fields that some hosts send. */
const ENDED_BY: readonly (readonly [RegExp, StopSituation['endedBy']])[] = [
  [/rate.?limit|usage.?limit|quota|overloaded/i, 'rateLimit'],
  [/interrupt|abort|cancel/i, 'interrupt'],
  [/context|prompt_too_long/i, 'contextLimit'],
  [/error|fail/i, 'error'],
];

/** Reads a host's Stop payload leniently: a missing or odd field never blocks a stop. */
export function stopSituation(payload: Payload, surroundings: StopSurroundings): StopSituation {
  return {
    ...surroundings,
    sessionId: sessionIdOf(payload),
    endedBy: endedBy(payload),
    backgroundTasks: openTasks(payload).others.length,
    scheduledWakeUps: countOpen(payload.session_crons) + countOpen(payload.crons),
    isPlanning: payload.permission_mode === 'plan',
  };
}

function endedBy({ stop_reason: stopReason, status, error }: Payload): StopSituation['endedBy'] {
  const text = [stopReason, status, error].filter((value) => typeof value === 'string').join(' ');
  return ENDED_BY.find(([pattern]) => pattern.test(text))?.[1] ?? 'itself';
}

/** Finished tasks in the list do not count. */
function countOpen(value: unknown): number {
  if (!Array.isArray(value)) return 0;
  return value.filter((item) => !OVER.has(statusOf(item))).length;
}

/** Never fails, whatever a payload holds. */
function statusOf(item: unknown): string {
  const { status } = (typeof item === 'object' && item !== null ? item : {}) as { status?: unknown };
  return typeof status === 'string' ? status : '';
}
