import type { LedgerEntry, SpendFacts } from '../../../schemas/ledger.ts';
import { attemptRecordOf } from '../../../stop/attemptRecord.ts';
import { outcomeOf } from '../../../stop/receipts/outcomeOf.ts';
import { addSpend, spendOf } from '../../../stop/receipts/receiptOf.ts';
import { ownValue } from '../../../system/ownValue.ts';
import { adviceFor } from '../why/story.ts';

/** A task that was settled or needs a person. */
interface NightTask {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly reason: string | null;
}

export interface NightFacts {
  /** ISO 8601. */
  readonly since: string;
  readonly until: string;
  /** Each with all its lines. */
  readonly sessions: readonly (readonly LedgerEntry[])[];
  /** Null without a store; a sentence when it cannot be read, so that nothing of it is known. */
  readonly tasks: readonly NightTask[] | string | null;
  /** Finished attempts that wait for a decision. */
  readonly reviews?: number;
  /** Accepted work that no process lands now. */
  readonly unlanded?: number;
  readonly isRunning: (pid: number) => boolean;
}

export type Night = ReturnType<typeof nightOf>;
type NightSession = ReturnType<typeof sessionOf>;

/** Endings that want nothing from a person. */
const SETTLED: ReadonlySet<string> = new Set([
  ...['passed', 'advised', 'waived', 'accepted'],
  ...['completed', 'finished', 'command_done', 'running', 'notArmed'],
]);
/** Ends that a person chose at the terminal, by their reason: a limit also stops an agent, and a hook also aborts a turn. */
const BY_PERSON: Readonly<Record<string, (reason: string) => boolean>> = {
  stopped: (reason) => reason.startsWith('SIGINT'),
  aborted_streaming: () => true,
  aborted_tools: (reason) => !/\bhook\b/.test(reason),
};
/** Skips that a person chose. */
const CHOSEN: ReadonlySet<string | undefined> = new Set([
  'nothingChanged',
  'changedByOthers',
  'planning',
  'insideCheck',
]);
const TASKS_WAITING: ReadonlySet<string> = new Set(['held', 'dead']);

/** What happened, counted from the ledger. */
export function nightOf({ since, until, sessions: all, tasks, reviews = 0, unlanded = 0, isRunning }: NightFacts) {
  const sessions = all
    .filter((entries) => entries.some(({ at }) => at >= since))
    .map((entries) => sessionOf(entries, since, isRunning));
  const failed = sessions.filter(({ needsPerson }) => needsPerson);
  const isKnown = typeof tasks !== 'string';
  const listed = isKnown ? (tasks ?? []) : [];
  return {
    ...{ since, until, sessions },
    endings: counted(sessions.map(({ outcome }) => outcome)),
    spend: sessions.flatMap(({ spend }) => spend ?? []).reduce<SpendFacts | null>(added, null),
    sessionsWithoutSpend: sessions.filter(({ spend }) => spend === null).length,
    failures: counted(failed.map(({ reason }) => reason)),
    waiting: failed.map(({ session, reason, advice }) => ({ session, reason, advice })),
    tasks: tasks === null || !isKnown ? tasks : counted(listed.map(({ status }) => status)),
    // null: not known
    reviews: isKnown ? reviews : null,
    unlanded: isKnown ? unlanded : null,
    waitingTasks: isKnown ? listed.filter(({ status }) => TASKS_WAITING.has(status)) : null,
    notRecorded: sessions.filter(({ isCapped }) => isCapped).map(({ session }) => session),
  };
}

const added = (sum: SpendFacts | null, one: SpendFacts) => (sum === null ? one : addSpend(sum, one));

function sessionOf(entries: readonly LedgerEntry[], since: string, isRunning: NightFacts['isRunning']) {
  const recent = entries.filter(({ at }) => at >= since);
  const { session = '', agent = '', folder = '', hostPid = null } = entries.at(-1) ?? {};
  const { type, reason, stop } = outcomeOf(entries);
  const isOn = hostPid !== null && isRunning(hostPid);
  // our own agent records its end
  const isLost = type === 'running' && agent === 'stopgate' && !isOn;
  const outcome = isLost ? 'lost' : type;
  const isChosen = outcome === 'skipped' && CHOSEN.has(stop?.ending.why);
  const isStopped = ownValue(BY_PERSON, outcome)?.(reason) ?? false;
  const isWorking = outcome === 'blocked' && isOn;
  // its task is queued again, or dead and listed
  const isOfTask = attemptRecordOf({ session, agent }) !== null;
  const needsPerson = !(
    isOfTask ||
    SETTLED.has(outcome) ||
    isChosen ||
    isStopped ||
    isWorking ||
    isWaivedLater(entries)
  );
  return {
    ...{ session, agent, folder, outcome },
    startedAt: entries[0]?.at ?? '',
    lastAt: entries.at(-1)?.at ?? '',
    reason: isLost ? 'its process is gone without an end on record' : reason,
    stops: recent.filter((one) => one.type === 'stop').length,
    sentBack: recent.filter((one) => one.type === 'stop' && one.ending.type === 'blocked').length,
    waived: recent.flatMap((one) => (one.type === 'waiver' ? [one.check] : [])),
    spend: spendOf(recent),
    needsPerson,
    advice: adviceFor(entries, isOn),
    isCapped: recent.some((one) => one.type === 'capped'),
  };
}

/** A person accepted all that failed at its last stop, after it. */
function isWaivedLater(entries: readonly LedgerEntry[]): boolean {
  const at = entries.findLastIndex(({ type }) => type === 'stop');
  const stop = entries[at];
  const failing = stop?.type === 'stop' ? stop.ending.checks.filter(({ outcome }) => outcome === 'failed') : [];
  const waived = entries.slice(at).flatMap((one) => (one.type === 'waiver' ? [one.check] : []));
  return failing.length > 0 && failing.every(({ name }) => waived.includes(name));
}

/** Most frequent first. */
export function counted(words: readonly string[]): readonly { readonly what: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].map(([what, count]) => ({ what, count })).toSorted((a, b) => b.count - a.count);
}

export type { NightSession };
