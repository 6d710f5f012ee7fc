import type { SessionBaseline } from '../../schemas/sessionChecks.ts';
import { wallNow } from '../../system/clock.ts';
import type { GateWorld } from '../world.ts';
import { checkIdentity } from './baseline.ts';
import { START_SECONDS, usableSeconds } from './hookTime.ts';
import type { OpenedChecks } from './openChecks.ts';
import { runNow } from './runNow.ts';

interface SessionStartRun {
  readonly began: Readonly<Record<string, SessionBaseline>>;
  readonly notes: readonly string[];
  /** Whether checks ran, which may have written files. */
  readonly ran: boolean;
}

export const NOTHING_RAN: SessionStartRun = { began: {}, notes: [], ran: false };

/** Runs the checks with `"baseline": "session"` once, when a session begins: what fails then is not its doing. */
export async function sessionBaseline(
  opened: Extract<OpenedChecks, { type: 'checks' }>,
  world: GateWorld & Required<Pick<GateWorld, 'processes'>>,
): Promise<SessionStartRun> {
  const checks = opened.done.checks.filter(({ baseline }) => baseline === 'session');
  if (checks.length === 0) return NOTHING_RAN;
  const { clock } = world;
  const deadlineAt = world.deadlineAt ?? clock.now() + 1000 * usableSeconds(START_SECONDS);
  const signal = world.signal ?? new AbortController().signal;
  const { results, notes } = await runNow(opened, checks, { ...world, deadlineAt, signal });
  const at = new Date(wallNow(clock)).toISOString();
  const failed = results.flatMap((result) => (result.type === 'failed' ? [result] : []));
  const began = failed.flatMap(({ check, found }) =>
    typeof found === 'object' ? [[checkIdentity(check), { at, failures: found }] as const] : [],
  );
  const unknown = failed.filter(({ found }) => typeof found !== 'object');
  const words = unknown.map(
    ({ check, how, found }) => `${check.name} ${how}${found === undefined ? '' : ` (${found})`}`,
  );
  const missed = checks
    .filter((check) => !results.some((result) => result.check === check))
    .map(({ name }) => `${name} was not run`);
  const lost = [...words, ...missed];
  return {
    began: Object.fromEntries(began),
    notes: [
      ...notes,
      ...(lost.length === 0
        ? []
        : [
            `Stopgate: nothing is accepted of what fails as this session begins: ${lost.join('; ')}. Every failure will count.`,
          ]),
    ],
    ran: true,
  };
}
