import type { SpendLedger } from '../../models/ledger.ts';
import type { CostOf } from '../../models/prices.ts';
import type { BackgroundRun, TaskKind } from '../../schemas/backgroundRuns.ts';
import { type Clock, wallNow } from '../../system/clock.ts';
import { formatDuration } from '../../system/formatDuration.ts';
import type { LogEvent } from '../../system/log.ts';
import { type Asker, createAsker } from './askModel.ts';
import type { BackgroundLimits } from './limits.ts';
import type { RunLog } from './runLog.ts';
import { allTokens, NOTHING_SPENT, type Spent } from './spendShare.ts';
import type { Switches } from './switches.ts';

export interface TaskContext {
  readonly asker: Asker;
  readonly signal: AbortSignal;
}

/** How a task ended by itself. A task that throws has a bug; that too is its own failure and nobody else's. */
export interface TaskEnd {
  readonly type: 'ran' | 'skipped' | 'failed';
  readonly reason: string;
}

export interface BackgroundTask {
  readonly kind: TaskKind;
  /** Shorter than what every task may take. */
  readonly timeoutMs?: number;
  /** Ends it, beside what ends every task. */
  readonly signal?: AbortSignal;
  run(context: TaskContext): Promise<TaskEnd>;
}

/**
 * The one door for all work beside the turn. Of each kind one task runs at a time; of those that wait only the newest
 * is kept; each has its share of tokens, money and time; each decision is recorded.
 */
export interface Governor {
  /** Resolves with what was recorded; never rejects. */
  submit(task: BackgroundTask): Promise<BackgroundRun>;
  /** What this process decided so far. */
  records(): readonly BackgroundRun[];
  /** Waits for what runs or waits, no longer than `ms`, then ends the rest. */
  drain(ms: number): Promise<void>;
}

export interface GovernorFacts {
  readonly clock: Clock;
  readonly random: () => number;
  readonly ledger: SpendLedger;
  readonly costOf: CostOf;
  readonly maxRetries: number;
  readonly limits: BackgroundLimits;
  /** What the whole session may spend, its turns included. */
  readonly maxBudgetUsd?: number | undefined;
  readonly switches: Switches;
  readonly log: RunLog;
  readonly logEvent: LogEvent;
  readonly project: string;
  readonly sessionId: string;
  /** Aborted when the person interrupts the session: nothing starts any more. */
  readonly signal: AbortSignal;
}

interface Waiting {
  readonly task: BackgroundTask;
  readonly settle: (run: BackgroundRun) => void;
}

interface Flight {
  readonly controller: AbortController;
  readonly landed: Promise<BackgroundRun>;
  cancelled?: string;
  waiting?: Waiting | undefined;
}

/** What ended tasks may still take to put down their work. */
const LANDING_MS = 1_000;

export function createGovernor(facts: GovernorFacts): Governor {
  const flights = new Map<TaskKind, Flight>();
  const records: BackgroundRun[] = [];
  const saidOff = new Set<TaskKind>();

  const note = noter(facts, records);

  function start(task: BackgroundTask): Promise<BackgroundRun> {
    const controller = new AbortController();
    const flight: Flight = { controller, landed: fly(task, controller, () => flight.cancelled) };
    flights.set(task.kind, flight);
    void flight.landed.then(() => {
      flights.delete(task.kind);
      const next = flight.waiting;
      if (next) void submit(next.task).then(next.settle);
    });
    return flight.landed;
  }

  async function fly(task: BackgroundTask, controller: AbortController, cancelled: () => string | undefined) {
    const startedAt = facts.clock.now();
    const signal = AbortSignal.any([controller.signal, facts.signal, ...(task.signal ? [task.signal] : [])]);
    const timeoutMs = Math.min(task.timeoutMs ?? Number.POSITIVE_INFINITY, facts.limits.timeoutMs);
    const asker = createAsker({ ...facts, ...shareOf(facts), signal });
    const landed = new AbortController();
    let late = false;
    void facts.clock.sleep(timeoutMs, landed.signal).then(() => {
      late = !landed.signal.aborted;
      if (late) controller.abort();
    });
    // on the next tick, so that whoever submits is never held up by what a task does first
    const end = await Promise.resolve()
      .then(() => task.run({ asker, signal }))
      .catch((error: Error): TaskEnd => ({ type: 'failed', reason: `it broke: ${error.message}` }));
    landed.abort();
    return note(task.kind, {
      ...judge(end, late ? timeoutMs : undefined, interruption(facts) ?? cancelled()),
      startedAt,
      spent: asker.spent(),
    });
  }

  function submit(task: BackgroundTask): Promise<BackgroundRun> {
    const { kind } = task;
    const unspent = { startedAt: facts.clock.now(), spent: NOTHING_SPENT };
    const may = facts.switches[kind];
    if (!may.on) {
      const end = { outcome: 'skipped', reason: may.reason, ...unspent } as const;
      // once is enough: a long session would say it at every turn
      if (saidOff.has(kind)) return Promise.resolve(recordOf(kind, end, facts));
      saidOff.add(kind);
      return Promise.resolve(note(kind, end));
    }
    const interrupted = interruption(facts);
    if (interrupted) return Promise.resolve(note(kind, { outcome: 'skipped', reason: interrupted, ...unspent }));
    const flight = flights.get(kind);
    if (!flight) return start(task);
    const older = flight.waiting;
    older?.settle(note(kind, { outcome: 'superseded', reason: 'a newer turn took its place', ...unspent }));
    return new Promise((settle) => {
      flight.waiting = { task, settle };
    });
  }

  return { records: () => records, submit, drain: (ms) => drainFlights(flights, facts, ms) };
}

async function drainFlights(flights: ReadonlyMap<TaskKind, Flight>, facts: GovernorFacts, ms: number): Promise<void> {
  const over = new AbortController();
  const deadline = facts.clock.sleep(ms, over.signal).then(() => 'late' as const);
  while (flights.size > 0) {
    const all = Promise.all([...flights.values()].map(({ landed }) => landed)).then(nextTick);
    if (!facts.signal.aborted && (await Promise.race([all, deadline])) !== 'late') continue;
    await endAll(flights, facts.clock);
    break;
  }
  over.abort();
}

function noter(facts: GovernorFacts, records: BackgroundRun[]) {
  return (kind: TaskKind, end: Noted): BackgroundRun => {
    const run = recordOf(kind, end, facts);
    records.push(run);
    facts.log.append(run);
    facts.logEvent('background_run', { task: kind, outcome: run.outcome, tokens: run.tokens, ms: run.durationMs });
    return run;
  };
}

function judge(
  end: TaskEnd,
  lateMs: number | undefined,
  cancelled: string | undefined,
): Pick<Noted, 'outcome' | 'reason'> {
  if (end.type !== 'failed') return { outcome: end.type, reason: end.reason };
  if (cancelled !== undefined) return { outcome: 'cancelled', reason: cancelled };
  if (lateMs !== undefined) return { outcome: 'failed', reason: `it took longer than ${formatDuration(lateMs)}` };
  return { outcome: 'failed', reason: end.reason };
}

async function endAll(flights: ReadonlyMap<TaskKind, Flight>, clock: Clock): Promise<void> {
  const left = [...flights.values()];
  for (const flight of left) {
    flight.cancelled = 'the process was about to exit';
    flight.waiting = undefined;
    flight.controller.abort();
  }
  const landed = new AbortController();
  await Promise.race([Promise.all(left.map((flight) => flight.landed)), clock.sleep(LANDING_MS, landed.signal)]);
  landed.abort();
}

/** A flight that landed may have let the next one start: that is seen one tick later. */
const nextTick = () => new Promise<void>((resolve) => setImmediate(resolve));

function interruption({ signal }: GovernorFacts): string | undefined {
  return signal.aborted ? 'the session was interrupted' : undefined;
}

function shareOf({ limits, maxBudgetUsd, ledger }: GovernorFacts) {
  const left = maxBudgetUsd === undefined ? Number.POSITIVE_INFINITY : Math.max(0, maxBudgetUsd - ledger.total.usd);
  return { maxTokens: limits.maxTokens, maxUsd: Math.min(limits.maxUsd, left) };
}

interface Noted extends Pick<BackgroundRun, 'outcome' | 'reason'> {
  readonly startedAt: number;
  readonly spent: Spent;
}

function recordOf(task: TaskKind, { outcome, reason, startedAt, spent }: Noted, facts: GovernorFacts): BackgroundRun {
  const durationMs = Math.max(0, Math.round(facts.clock.now() - startedAt));
  return {
    at: new Date(wallNow(facts.clock) - durationMs).toISOString(),
    task,
    project: facts.project,
    session: facts.sessionId,
    outcome,
    reason,
    durationMs,
    requests: spent.requests,
    tokens: allTokens(spent.usage),
    costUsd: spent.unpriced ? null : spent.usd,
  };
}
