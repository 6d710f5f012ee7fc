import type { GateDecision } from '../schemas/ledger.ts';
import type { GateEnding } from '../stop/ending.ts';
import { briefReason, type LedgerSubject, type NewEntry, recordEntry, recordedEnding } from '../stop/ledger.ts';
import { readSession } from '../stop/readLedger.ts';
import { writeReceipt } from '../stop/receipts/writeReceipt.ts';
import { WORKER } from '../stop/worker/workerIdentity.ts';
import type { World } from '../system/world.ts';
import type { LaunchReport } from './launchReport.ts';

interface EndedLaunch {
  readonly report: Omit<LaunchReport, 'checks'>;
  readonly checks: GateEnding;
  /** Checks were configured. */
  readonly isChecked: boolean;
  /** What the agent's gate recorded. */
  readonly own: readonly GateDecision[];
  /** It records what it spends itself. */
  readonly countsItself: boolean;
}

/** The end of a launch, in the ledger of its agent's session; returns notes for people. */
export function recordLaunch(ended: EndedLaunch, { stopgateHome, clock, env }: World): readonly string[] {
  const { report, own } = ended;
  const subject = own[0] ?? unknownSession(report, env);
  const failures = entriesOf(ended, env).map((entry) => recordEntry(entry, { stopgateHome, clock, subject }));
  const { session } = subject;
  const receipt = writeReceipt(stopgateHome, session, readSession(stopgateHome, session));
  const [first] = [...failures, receipt].filter((one) => one !== null);
  return first === undefined ? [] : [first];
}

function entriesOf({ report, checks, isChecked, own, countsItself }: EndedLaunch, env: World['env']): NewEntry[] {
  const { how, why, usedMs, spend } = report;
  const last = own.findLast(({ ending }) => ending !== null)?.ending;
  const stop: NewEntry = { type: 'stop', ending: recordedEnding(checks), durationMs: 0 };
  const time: NewEntry = { type: 'budget', budget: 'time', decision: 'ended', reason: why, source: '--time-budget' };
  const end: NewEntry = {
    ...{ type: 'end', scope: 'launch', ending: how },
    reason: how === 'finished' ? '' : briefReason(why, env),
    durationMs: Math.round(usedMs),
    spend: countsItself ? null : spend,
  };
  return [
    // what only the launcher knows: it was never asked, or was interrupted
    ...(isChecked && last?.reason !== checks.reason ? [stop] : []),
    ...(how === 'expired' ? [time] : []),
    end,
  ];
}

/** The name in the ledger of a launch whose agent has no hooks. */
export const launchSession = (id: string): string => `launch-${id}`;

/** An agent without hooks has no session that is known here. */
const unknownSession = ({ id, folder, agent }: EndedLaunch['report'], env: World['env']): LedgerSubject => ({
  ...{ session: launchSession(id), folder, agent, hostPid: null, launch: id, worker: env[WORKER] || null },
});
