import type { Payload } from '../hosts/callers.ts';
import type { StopSituation } from './exemptions.ts';

export interface StopSurroundings {
  readonly switchedOff: boolean;
  readonly insideCheck: boolean;
  readonly remainingSeconds: number | null;
}

/** How hosts say that a turn did not end by itself, in the fields that some of them send. */
const ENDED_BY: readonly (readonly [RegExp, StopSituation['endedBy']])[] = [
  [/rate.?limit|usage.?limit|quota|overloaded/i, 'rateLimit'],
  [/interrupt|abort|cancel/i, 'interrupt'],
  [/context|prompt_too_long/i, 'contextLimit'],
  [/error|fail/i, 'error'],
];

/** What a host's Stop payload says, read leniently: a field that is missing or odd never holds anybody. */
export function stopSituation(payload: Payload, surroundings: StopSurroundings): StopSituation {
  return {
    ...surroundings,
    sessionId: sessionIdOf(payload),
    endedBy: endedBy(payload),
    backgroundTasks: lengthOf(payload.background_tasks),
    scheduledWakeUps: lengthOf(payload.session_crons) + lengthOf(payload.crons),
    isPlanning: payload.permission_mode === 'plan',
  };
}

export function sessionIdOf({ session_id: snake, sessionId: camel }: Payload): string | null {
  const id = snake ?? camel;
  return typeof id === 'string' ? id : null;
}

function endedBy({ stop_reason: stopReason, status, error }: Payload): StopSituation['endedBy'] {
  const said = [stopReason, status, error].filter((value) => typeof value === 'string').join(' ');
  return ENDED_BY.find(([words]) => words.test(said))?.[1] ?? 'itself';
}

/** A finished task in the list holds nothing up. */
function lengthOf(value: unknown): number {
  if (!Array.isArray(value)) return 0;
  return value.filter((item) => !OVER.has(String((item as { status?: unknown } | null)?.status ?? ''))).length;
}

const OVER = new Set(['completed', 'failed', 'killed', 'stopped', 'done', 'cancelled']);
