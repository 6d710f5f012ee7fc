import * as z from 'zod';
import { PRUNE_REQUESTS, plannedTask, SCHEDULE_REQUESTS } from './growthRequests.ts';

/**
 * The requests of all operations of a store. Strict: to a process that serves a store, anything else comes from another version or
 * another program. The types of the operations are derived from these (`store/requests.ts`).
 */
const text = z.string();
const maybe = text.optional();
const whole = z.int();
const length = z.number().min(0);
const many = z.array(text);
/** PostgreSQL cannot store NUL, and a store can be moved there. */
const kept = text.refine((value) => !value.includes('\0'));
const count = z.int().min(1).max(1_000_000);
const onDependencyFailure = z.enum(['wait', 'cancel', 'run']);

const lease = z.strictObject({ taskId: text, attemptId: text, epoch: whole, workerId: text, incarnation: whole });
const ofLease = z.strictObject({ lease });
const worker = { workerId: text, incarnation: whole };
const details = z
  .strictObject({
    branch: text.exactOptional(),
    worktree: text.exactOptional(),
    baseCommit: text.exactOptional(),
    headCommit: text.exactOptional(),
    /** The branch of an earlier attempt that this one started from. */
    continuedFrom: text.exactOptional(),
    wipRef: text.exactOptional(),
    tokens: z.number().exactOptional(),
    costUsd: z.number().exactOptional(),
    /** What its completion has to pass when the task itself names nothing: `definition of done`. */
    verify: text.exactOptional(),
    /** What its verifier checked, and where it keeps the proof. */
    verifiedCommit: text.exactOptional(),
    verifiedTree: text.exactOptional(),
    verifiedBy: text.exactOptional(),
    receipt: text.exactOptional(),
  })
  .optional();

const change = z.strictObject({ taskId: text, reason: maybe, actor: maybe });
const queueChange = z.strictObject({ queue: text, reason: maybe, actor: maybe });
const nothing = z.strictObject({});
const ready = z.strictObject({ queue: maybe, types: many.optional() });
const claimFields = {
  /** Chosen by the caller, new for each claim; a claim repeated with it returns the same task. */
  claimKey: text,
  queue: maybe,
  /** Left out: all types. */
  types: many.optional(),
  /** This task or none. */
  taskId: maybe,
  /** Only offers the task: without `acknowledge` within this time it goes back, without penalty. */
  offerMs: length.optional(),
};
const facts = {
  host: text.nullish(),
  pid: whole.nullish(),
  /** The start time of the process as the system reports it: a pid alone may have been reused. */
  pidStart: text.nullish(),
  sessionId: text.nullish(),
  accountKey: text.nullish(),
  /** Null: never stops when idle. */
  idleLimitMs: z.number().nullish(),
};
/** `kind`: see fleet/decisions/workerKinds.ts; `types`: the task types it claims, null: all. */
const allFacts = { ...facts, kind: maybe, queue: maybe, types: many.nullish() };

const TASK_REQUESTS = {
  addTasks: z.strictObject({ tasks: z.array(plannedTask), actor: maybe }),
  amendTask: z.strictObject({
    taskId: text,
    title: kept.optional(),
    body: kept.optional(),
    /** Ids of additional tasks that must be done first. Only while no worker has it. */
    addDependsOn: many.optional(),
    /** For the added ones. */
    onDependencyFailure: onDependencyFailure.optional(),
    queue: kept.optional(),
    priority: z.int32().optional(),
    /** Null removes a budget. They apply from the next attempt on. */
    timeBudgetMs: whole.nullish(),
    totalTimeMs: whole.nullish(),
    costBudgetUsd: z.number().nullish(),
    tokenBudget: whole.nullish(),
    /** Null removes the key; one that is claimed counts for its new key from now on. */
    concurrencyKey: kept.nullish(),
    concurrencyLimit: count.nullish(),
    actor: maybe,
  }),
  cancel: change,
  redrive: change,
  hold: change,
  unhold: change,
  /** Null removes the limit. Tasks that are claimed already stay claimed. */
  limitQueue: z.strictObject({ queue: kept, limit: count.nullable(), actor: maybe }),
  limits: nothing,
  pauseQueue: queueChange,
  resumeQueue: queueChange,
  /** By an id, or at least four characters of its beginning. */
  task: z.strictObject({ id: text }),
  listTasks: z.strictObject({
    queue: maybe,
    statuses: z
      .array(z.enum(['ready', 'delayed', 'blocked', 'held', 'claimed', 'verifying', 'done', 'dead', 'cancelled']))
      .optional(),
    types: many.optional(),
    parentId: maybe,
    order: z.enum(['oldest', 'newest']).optional(),
    /** `next` of the previous page. */
    after: maybe,
    limit: z.int().min(0).optional(),
  }),
  counts: z.strictObject({ queue: maybe }),
  attempts: z.strictObject({ taskId: text }),
  readiness: ready,
  probe: ready,
  events: z.strictObject({
    /** The cursor of the last event seen; default: from the beginning. */
    after: maybe,
    limit: z.int().min(0).optional(),
    taskId: maybe,
    /** Newest first, backwards from `after`. */
    newest: z.boolean().optional(),
  }),
  about: nothing,
};

const CLAIM_REQUESTS = {
  claim: z.strictObject({ ...worker, ...claimFields }),
  acknowledge: ofLease,
  heartbeat: z.strictObject({
    ...worker,
    /** Of the task it works on, if any. */
    lease: lease.optional(),
    /** A sign of progress, not only of life. */
    activity: z.boolean().optional(),
    tool: z.enum(['started', 'ended']).optional(),
    /** Notes for the next attempt, if this one does not finish. */
    checkpoint: maybe,
    details,
  }),
  /** If it is accepted, its worker claims `next` in the same transaction. A repeated call returns the same task. */
  complete: z.strictObject({ lease, result: text, details, next: z.strictObject(claimFields).optional() }),
  fail: z.strictObject({
    lease,
    error: text,
    reason: z.enum(['failed', 'timed_out']).optional(),
    /** Instead of the task's backoff. */
    retryAfterMs: length.optional(),
    /** Never try again. */
    final: z.boolean().optional(),
    details,
  }),
  release: z.strictObject({
    lease,
    /**
     * `unserved`: the provider refused its agent, or the agent could not be started. `timed_out`: its time was over, but it had made
     * progress. `continued`: a clean exit with work left.
     */
    reason: z.enum(['released', 'rate_limited', 'unserved', 'abandoned', 'drained', 'timed_out', 'continued']),
    /** At least. */
    delayMs: length.optional(),
    /** False: a release that counts does not wait for the task's backoff, because a person returned it for others to take. */
    backoff: z.boolean().optional(),
    checkpoint: maybe,
    details,
  }),
  extend: z.strictObject({ lease, byMs: z.number() }),
  takeVerification: z.strictObject({ holder: text, ttlMs: z.number(), queue: maybe, taskId: maybe }),
  renewVerification: z.strictObject({ taskId: text, verifyEpoch: whole, ttlMs: z.number() }),
  settleVerification: z.strictObject({
    taskId: text,
    verifyEpoch: whole,
    verdict: z.enum(['pass', 'reject']),
    reason: maybe,
    /** For the next attempt. */
    notes: maybe,
    details,
  }),
};

const WORKER_REQUESTS = {
  launch: z.strictObject({
    ...allFacts,
    slot: text,
    /** How long it may take to register. */
    deadlineMs: z.number(),
    /** Refused if another process leads now. */
    leader: z.strictObject({ name: text, holder: text, epoch: whole }).optional(),
  }),
  endLaunch: z.strictObject({ slot: text, incarnation: whole, result: text }),
  /** `incarnation`: one that a launch reserved, or its own again; default: the next. */
  registerWorker: z.strictObject({ ...allFacts, workerId: text, incarnation: whole.optional() }),
  updateWorker: z.strictObject({
    ...worker,
    ...facts,
    /** One more blocked stop, and why; `clear` at a new turn. */
    stopBlock: z.union([z.strictObject({ reason: text }), z.literal('clear')]).optional(),
  }),
  drainWorker: z.strictObject({ workerId: text, incarnation: whole.optional(), actor: maybe }),
  stopWorker: z.strictObject({ ...worker, exitCode: whole.nullish(), exitReason: text }),
  reap: z.strictObject({
    ...worker,
    /**
     * `exited`: its process is known to be gone, so its task goes back immediately. `lapsed`: it is only silent, so the first call
     * marks it suspect, and a later one, after `graceMs` of further silence, requeues its task.
     */
    evidence: z.enum(['exited', 'lapsed']),
    /** Silence that makes it suspect. */
    staleAfterMs: z.number(),
    graceMs: z.number(),
    reason: maybe,
    exitCode: whole.nullish(),
    actor: maybe,
  }),
  deferReclaim: z.strictObject({ ...worker, reason: text, actor: maybe }),
  expireOffers: nothing,
  pauseAccount: z.strictObject({
    key: text,
    /** A time from the provider, or a duration from the store's clock. */
    until: z.union([z.strictObject({ at: z.number() }), z.strictObject({ ms: z.number() })]),
    source: text,
  }),
  resumeAccount: z.strictObject({ key: text }),
  lead: z.strictObject({ name: text, holder: text, ttlMs: z.number() }),
  resign: z.strictObject({ name: text, holder: text, epoch: whole }),
  /** Without `running` also those that stopped or were lost. */
  workers: z.strictObject({ queue: maybe, workerId: maybe, sessionId: maybe, running: z.boolean().optional() }),
  launches: z.strictObject({ slot: maybe, withinMs: z.number().optional(), limit: z.int().min(0).optional() }),
  accounts: nothing,
};

/** Every operation that is served; moving a store is not. */
export const STORE_REQUESTS = {
  ...TASK_REQUESTS,
  ...CLAIM_REQUESTS,
  ...WORKER_REQUESTS,
  ...SCHEDULE_REQUESTS,
  ...PRUNE_REQUESTS,
};

/** Longer waits need another request. */
const LONGEST_WAIT_MS = 600_000;

export const changedRequest = z.strictObject({ withinMs: z.number().min(0).max(LONGEST_WAIT_MS) });

export const requestFrame = z.strictObject({
  id: z.int().min(0),
  operation: text,
  request: z.record(text, z.unknown()),
});
