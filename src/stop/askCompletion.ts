import type { Clock } from '../system/clock.ts';
import type { ProcessRunner } from '../system/processes.ts';
import { askWorkDone } from './ask.ts';
import type { GateEnding } from './gateEnding.ts';
import type { ArmedStart } from './sinceStart.ts';

export interface Completion {
  /** Where the work is. */
  readonly folder: string;
  /** Under which the checks are remembered. */
  readonly session: string;
  /** With which checks the agent began; null when that is not on record. */
  readonly start: ArmedStart | null;
  readonly env: Readonly<Record<string, string>>;
  readonly stopgateHome: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly processes?: ProcessRunner;
}

/** Each check has a timeout of its own; no host waits for this answer. */
const LONGEST_MS = 24 * 3_600_000;

/** Null when the work may count as done, else why not: what the checks printed, or why they prove nothing. */
export async function askCompletion({ folder, session, start, ...world }: Completion): Promise<string | null> {
  const seen: { ending?: GateEnding } = {};
  const answer = await askWorkDone(
    { session_id: session, cwd: folder, hook_event_name: 'Stop' },
    {
      ...world,
      // the host's idea of the project is the agent's; ours is where it was started
      env: { ...world.env, CLAUDE_PROJECT_DIR: folder },
      hostPid: null,
      demand: 'order',
      deadlineAt: world.clock.now() + LONGEST_MS,
      onEnding: (ending) => {
        seen.ending = ending;
      },
      ...(start !== null && { start }),
    },
  );
  if (answer.type === 'block') return answer.reason;
  return seen.ending === undefined ? null : whyNotDone(seen.ending);
}

/** At a stop the gate gives up in the end, so that nothing runs without end; a completion is refused as often as it is tried. */
const NOT_DONE: ReadonlySet<GateEnding['type']> = new Set(['blocked', 'stalled', 'capped', 'outOfTime', 'error']);

/** Null for what was never armed: no configuration, a folder that no person trusted, a switch that is off. */
export function whyNotDone({ type, why, reason, armedAtStart }: GateEnding): string | null {
  if (!NOT_DONE.has(type) && why !== 'checksInterrupted' && armedAtStart === undefined) return null;
  return `The definition of done does not hold: checks ${reason}. Fix what fails and complete the task again, or settle it with \`stopgate task fail\` or \`release\`.`;
}
