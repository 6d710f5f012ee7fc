import type { EntryOf, LedgerEntry, SpendFacts } from '../../schemas/ledger.ts';
import type { Receipt } from '../../schemas/receipt.ts';
import { ownValue } from '../../system/ownValue.ts';
import { type GateEnding, isProof } from '../ending.ts';
import { isWellEnded, outcomeOf } from './outcomeOf.ts';

type Stop = EntryOf<'stop'>;

const SHOWN_STOPS = 20;

/** The receipt of a session, from its lines in the ledger; null when it has none. */
export function receiptOf(entries: readonly LedgerEntry[], version: string): Receipt | null {
  const last = entries.at(-1);
  if (last === undefined) return null;
  const { session, agent, folder } = last;
  const stops = entries.filter((one) => one.type === 'stop');
  const { type: outcome, reason, stop, end } = outcomeOf(entries);
  const [launch, worker] = [launchOf(entries), entries.find((one) => one.worker !== null)?.worker ?? null];
  const notProven = whatIsNotProven(stop, end);
  return {
    ...{ version: 1, stopgate: version, session, agent, folder, launch, worker },
    startedAt: startOf(entries, end) ?? last.at,
    stoppedAt: (stop ?? end ?? last).at,
    outcome,
    reason,
    isProven: stop !== undefined && outcome === stop.ending.type && isProof(stop.ending as GateEnding),
    notProven,
    claim: (end?.claim ?? stop?.claim) || null,
    checks: stop === undefined ? [] : stop.ending.checks.map(checkOf),
    tree: stops.findLast(({ tree }) => tree !== undefined)?.tree ?? null,
    waivers: entries
      .filter((one) => one.type === 'waiver')
      .map(({ check, reason, by, at }) => ({ check, reason, by, at })),
    stops: stops.slice(-SHOWN_STOPS).map(({ at, ending, durationMs }) => {
      return { at, outcome: ending.type, reason: ending.reason, durationMs };
    }),
    stopCount: stops.length,
    ending: end === undefined ? null : { scope: end.scope, ending: end.ending, reason: end.reason },
    spend: spendOf(entries),
    evidence: (end?.evidence ?? stop?.evidence) || null,
    ...(stop?.judge && { judge: stop.judge }),
  };
}

/** The agent ended by itself, and that was not all. */
const RUN_ENDINGS: ReadonlySet<string> = new Set(['left_running', 'no_work']);

/** A launch without hooks has no line before its end, which tells how long it took. */
function startOf(entries: readonly LedgerEntry[], end: EntryOf<'end'> | undefined): string | undefined {
  const first = entries[0]?.at;
  const began = end === undefined ? undefined : new Date(Date.parse(end.at) - end.durationMs).toISOString();
  return began !== undefined && first !== undefined && began < first ? began : first;
}

const launchOf = (entries: readonly LedgerEntry[]) => entries.find((one) => one.launch !== null)?.launch ?? null;

function checkOf({ name, outcome, waived, ran }: Stop['ending']['checks'][number]): Receipt['checks'][number] {
  return {
    ...{ name, outcome, ...(waived !== undefined && { waived }) },
    exitCode: ran?.exitCode ?? null,
    durationMs: ran?.durationMs ?? null,
    endedAt: ran?.endedAt ?? null,
  };
}

/** What a reader must not take for proven, in words. */
function whatIsNotProven(stop: Stop | undefined, end: EntryOf<'end'> | undefined): readonly string[] {
  const ofGate = stop === undefined ? ['Nothing was armed: no check of a definition of done ran.'] : ofStop(stop);
  const evidence = end?.evidence ?? stop?.evidence;
  const ranAtStop = stop?.ending.checks.some(({ ran }) => ran !== undefined) ?? false;
  const isStale = evidence?.checked_after_last_edit === false && !ranAtStop;
  return [
    ...ofGate,
    ...(stop?.ending.obeyed === undefined
      ? []
      : [`The checks obey configuration that changed during the session: ${stop.ending.obeyed}.`]),
    ...(isStale ? ["The agent's own last check ran before its last edit."] : []),
    ...(end !== undefined && !isWellEnded(end.ending)
      ? [
          RUN_ENDINGS.has(end.ending)
            ? `${end.ending}: ${end.reason}`
            : `It did not end by itself: ${end.reason || end.ending}`,
        ]
      : []),
    ...(evidence === undefined ? ['What the agent ran is not known: no tool results were readable.'] : []),
  ];
}

type Words = (reason: string) => string;

const NOT_PROVEN: Readonly<Record<string, Words>> = {
  notArmed: (reason) => `Nothing was armed: ${reason}.`,
  waived: (reason) => `A person accepted what fails: ${reason}.`,
  skipped: (reason) => `The checks did not run: ${reason}.`,
  outOfTime: (reason) => `Not all checks could run: ${reason}.`,
  stalled: (reason) => `The agent may stop although checks fail: ${reason}.`,
  capped: (reason) => `The agent may stop although checks fail: ${reason}.`,
};

function ofStop({ ending, judge }: Stop): readonly string[] {
  if (judge?.verdict === 'rejected') return [`The checks passed, and the judge rejected the work: ${judge.reason}`];
  if (judge?.verdict !== 'none') return ofEnding(ending);
  return [...ofEnding(ending), `The judge gave no verdict: ${judge.reason}`];
}

function ofEnding(ending: Stop['ending']): readonly string[] {
  const skipped = ending.checks.filter(({ outcome }) => UNCHANGED.has(outcome)).map(({ name }) => name);
  if (isProof(ending as GateEnding)) {
    return skipped.length === 0 ? [] : [`Not run, because this session changed nothing: ${skipped.join(', ')}.`];
  }
  if (ending.type === 'passed') return [`The checks that passed are not those of the start: ${ending.reason}.`];
  return [
    (ownValue(NOT_PROVEN, ending.type) ?? ((reason: string) => `The checks gave no proof: ${reason}.`))(ending.reason),
  ];
}

const UNCHANGED: ReadonlySet<string> = new Set(['nothingChanged', 'changedByOthers']);

/** Everything that was spent; null when nothing is on record. */
export function spendOf(entries: readonly LedgerEntry[]): SpendFacts | null {
  const all = entries.flatMap((one) => ((one.type === 'end' || one.type === 'spend') && one.spend ? [one.spend] : []));
  return all.length === 0 ? null : all.reduce(addSpend);
}

export function addSpend(one: SpendFacts, other: SpendFacts): SpendFacts {
  const sum = (a: number | undefined, b: number | undefined) => (a ?? 0) + (b ?? 0);
  const sources = [...new Set([...Object.keys(one.bySource ?? {}), ...Object.keys(other.bySource ?? {})])];
  return {
    usd: one.usd === null || other.usd === null ? null : one.usd + other.usd,
    outputTokens: one.outputTokens + other.outputTokens,
    inputTokens: sum(one.inputTokens, other.inputTokens),
    requests: sum(one.requests, other.requests),
    estimatedRequests: sum(one.estimatedRequests, other.estimatedRequests),
    bySource: Object.fromEntries(sources.map((name) => [name, sum(one.bySource?.[name], other.bySource?.[name])])),
  };
}
