import { callerOf } from '../../../hosts/all.ts';
import { briefReason, folderOf, recordEntry, subjectOf } from '../../../stop/ledger.ts';
import type { Payload } from '../../../stop/payload.ts';
import { systemClock } from '../../../system/clock.ts';
import { definedOnly } from '../../../system/definedOnly.ts';
import { stopgateHome } from '../../../system/stopgateHome.ts';

interface Refusal {
  readonly payload: Payload;
  readonly reason: string;
}

/** A call for which the time budget has no time left. The host has its answer; a line that cannot be written must not disturb it. */
export function recordRefusal({ payload, reason }: Refusal): void {
  const env = definedOnly(process.env);
  const asker = callerOf(payload, env.STOPGATE_HOME, process.argv);
  const world = {
    env,
    stopgateHome: stopgateHome(env),
    clock: systemClock,
    asker,
    hostPid: Number(env.CLAUDE_PID) || null,
  };
  const subject = subjectOf(payload, folderOf(payload, env), world);
  const budget = { type: 'budget', budget: 'time', decision: 'refused', source: 'landing' } as const;
  recordEntry({ ...budget, reason: briefReason(reason, env) }, { ...world, subject });
}
