import { askWorkDone } from './checks/gate.ts';
import type { GateEnding } from './ending.ts';
import { readFrozen } from './frozen/frozenFile.ts';
import { readDecisions } from './readLedger.ts';
import type { ArmedStart } from './sinceStart.ts';
import type { Asker, GateWorld } from './world.ts';

export interface Completion extends Pick<GateWorld, 'env' | 'stopgateHome' | 'clock' | 'processes'> {
  readonly folder: string;
  /** The name under which results of checks are remembered. */
  readonly session: string;
  /** Whose agent worked: what failed before it began is known by its session. */
  readonly worker: string;
  /** The checks at the agent's start; null when not on record. */
  readonly start: ArmedStart | null;
  readonly signal: AbortSignal;
}

/** A completion claims that work is done, so unchanged files need proof as well. */
const COMPLETION: Asker = { name: 'stopgate', demand: async () => 'order' };

/** Each check has a timeout of its own; no host waits for this answer. */
const LONGEST_MS = 24 * 3_600_000;

/** Null when the work counts as done, else why not: what the checks printed, or why they prove nothing. */
export async function askCompletion({ folder, session, start, worker, ...world }: Completion): Promise<string | null> {
  const seen: { ending?: GateEnding } = {};
  const beganIn = await sessionOfAgent(session, worker, world);
  const answer = await askWorkDone(
    { session_id: session, cwd: folder, hook_event_name: 'Stop' },
    {
      ...world,
      // not the agent's project folder but the one it was started in
      env: { ...world.env, CLAUDE_PROJECT_DIR: folder },
      hostPid: null,
      asker: COMPLETION,
      deadlineAt: world.clock.now() + LONGEST_MS,
      onEnding: (ending) => {
        seen.ending = ending;
      },
      ...(start !== null && { start }),
      ...(beganIn !== undefined && { beganIn }),
    },
  );
  if (answer.type === 'block') return answer.reason;
  return seen.ending === undefined ? null : whyNotDone(seen.ending);
}

/** The first session of the worker's agent: one that it started itself began with what it had done by then. */
export async function sessionOfAgent(
  completions: string,
  worker: string,
  { stopgateHome }: Pick<Completion, 'stopgateHome'>,
): Promise<string | undefined> {
  const frozen = await readFrozen(stopgateHome, completions);
  if (frozen === null) return undefined;
  const decisions = readDecisions(stopgateHome, { worker, since: Date.parse(frozen.frozenAt) });
  return decisions.find(({ type, at }) => type === 'sessionStart' && at >= frozen.frozenAt)?.session;
}

/** A stop gets through in the end, so that no agent runs forever; a completion is refused every time. */
const NOT_DONE: ReadonlySet<GateEnding['type']> = new Set(['blocked', 'stalled', 'capped', 'outOfTime', 'error']);

/** An agent before this one may have changed the checks that a person trusted. */
const UNDECIDED: ReadonlySet<GateEnding['why']> = new Set(['checksInterrupted', 'changedSinceTrusted']);

/** Null for checks that were never armed: no configuration, an untrusted folder, Stopgate switched off. */
export function whyNotDone({ type, why, reason, armedAtStart }: GateEnding): string | null {
  if (!NOT_DONE.has(type) && !UNDECIDED.has(why) && armedAtStart === undefined) return null;
  return `The definition of done is not met: checks ${reason}. Fix the failures and complete the task again, or settle it with \`stopgate task fail\` or \`release\`.`;
}
