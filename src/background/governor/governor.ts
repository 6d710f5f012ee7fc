import { SpendLedger } from '../../models/ledger.ts';
import { totalTokens } from '../../models/types.ts';
import type { BackgroundRun, TaskKind } from '../../schemas/backgroundRuns.ts';
import { type Clock, wallNow } from '../../system/clock.ts';
import { formatDuration } from '../../system/formatDuration.ts';
import type { LogEvent } from '../../system/log.ts';
import { type Asker, type AskerFacts, createAsker, type Reply } from './askModel.ts';
import type { BackgroundLimits } from './limits.ts';
import type { RunLog } from './runLog.ts';
import type { Switches } from './switches.ts';

export interface TaskContext {
  readonly asker: Asker;
  readonly signal: AbortSignal;
}

/** How a task ended by itself. A task that throws counts as failed. */
export interface TaskEnd {
  readonly type: 'ran' | 'skipped' | 'failed';
  readonly reason: string;
}

/** The end of a task that got no answer. */
export const endWithout = ({ type, reason }: Exclude<Reply, { type: 'ok' }>): TaskEnd => ({
  type: type === 'refused' ? 'skipped' : 'failed',
  reason,
});

export interface BackgroundTask {
  readonly kind: TaskKind;
  /** Shorter than the timeout of all tasks. */
  readonly timeoutMs?: number;
  /** Ends this task, in addition to what ends every task. */
  readonly signal?: AbortSignal;
  run(context: TaskContext): Promise<TaskEnd>;
}

/**
 * Starts all background work. One task of each kind runs at a time; of those that wait only the newest is kept; each has
 * its share of tokens, money and time; each decision is recorded.
 */
export interface Governor {
  /** Resolves with its record; never rejects. */
  submit(task: BackgroundTask): Promise<BackgroundRun>;
  /** The decisions of this process so far. */
  records(): readonly BackgroundRun[];
  /** Waits for all tasks, no longer than `ms`, then ends the others. */
  drain(ms: number): Promise<void>;
}

export interface GovernorFacts extends Omit<AskerFacts, 'maxTokens' | 'maxUsd'> {
  readonly ledger: SpendLedger;
  readonly limits: BackgroundLimits;
  /** What the whole session may spend, its turns included. */
  readonly maxBudgetUsd?: number | undefined;
  readonly switches: Switches;
  readonly log: RunLog;
  readonly logEvent: LogEvent;
  readonly project: string;
  readonly sessionId: string;
  /** Aborted when the user interrupts the session: nothing more starts. Not the turn's, which ends with the turn. */
  readonly signal: AbortSignal;
}

interface Flight {
  readonly controller: AbortController;
  readonly landed: Promise<BackgroundRun>;
  cancelled?: string;
  waiting?: { readonly task: BackgroundTask; readonly settle: (run: BackgroundRun) => void } | undefined;
}

/** The time for ended tasks to finish. */
const LANDING_MS = 1_000;

export function createGovernor(facts: GovernorFacts): Governor {
  const flights = new Map<TaskKind, Flight>();
  const records: BackgroundRun[] = [];
  const recordedOff = new Set<TaskKind>();

  function note(run: BackgroundRun): BackgroundRun {
    records.push(run);
    facts.log.append(run);
    const { task, outcome, tokens, durationMs: ms } = run;
    facts.logEvent('background_run', { task, outcome, tokens, ms });
    return run;
  }

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
    // on the next tick, so that the caller does not wait for the task's first step
    const end = await Promise.resolve()
      .then(() => task.run({ asker, signal }))
      .catch((error: Error): TaskEnd => ({ type: 'failed', reason: `it broke: ${error.message}` }));
    landed.abort();
    const verdict = judge(end, late ? timeoutMs : undefined, interruption(facts) ?? cancelled());
    return note(recordOf(task.kind, verdict, facts, { startedAt, spent: asker.spent }));
  }

  async function submit(task: BackgroundTask): Promise<BackgroundRun> {
    const { kind } = task;
    const may = facts.switches[kind];
    if (!may.on) {
      const run = recordOf(kind, { outcome: 'skipped', reason: may.reason }, facts);
      // recorded once, not at every turn
      if (recordedOff.has(kind)) return run;
      recordedOff.add(kind);
      return note(run);
    }
    const interrupted = interruption(facts);
    if (interrupted) return note(recordOf(kind, { outcome: 'skipped', reason: interrupted }, facts));
    const flight = flights.get(kind);
    if (!flight) return start(task);
    const replaced = { outcome: 'superseded', reason: 'a newer turn took its place' } as const;
    flight.waiting?.settle(note(recordOf(kind, replaced, facts)));
    const { promise, resolve: settle } = Promise.withResolvers<BackgroundRun>();
    flight.waiting = { task, settle };
    return promise;
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

type Verdict = Pick<BackgroundRun, 'outcome' | 'reason'>;

function judge(end: TaskEnd, lateMs: number | undefined, cancelled: string | undefined): Verdict {
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

/** A finished task may start the next one, one tick later. */
const nextTick = () => new Promise<void>((resolve) => setImmediate(resolve));

function interruption({ signal }: GovernorFacts): string | undefined {
  return signal.aborted ? 'the session was interrupted' : undefined;
}

function shareOf({ limits, maxBudgetUsd, ledger }: GovernorFacts) {
  const left =
    maxBudgetUsd === undefined
      ? Number.POSITIVE_INFINITY
      : Math.max(0, maxBudgetUsd - ledger.totalUsd - ledger.reservedUsd);
  return { maxTokens: limits.maxTokens, maxUsd: Math.min(limits.maxUsd, left) };
}

function recordOf(
  task: TaskKind,
  verdict: Verdict,
  { clock, project, sessionId }: GovernorFacts,
  { startedAt, spent } = { startedAt: clock.now(), spent: new SpendLedger() },
): BackgroundRun {
  const durationMs = Math.max(0, Math.round(clock.now() - startedAt));
  const { requests, usage, usd, unpricedRequests } = spent.total;
  return {
    at: new Date(wallNow(clock) - durationMs).toISOString(),
    task,
    project,
    session: sessionId,
    ...verdict,
    durationMs,
    requests,
    tokens: totalTokens(usage),
    costUsd: unpricedRequests > 0 ? null : usd,
  };
}
