import * as z from 'zod';
import { PRUNE_REQUESTS, SCHEDULE_REQUESTS } from './growthRequests.ts';
import { REVIEW_REQUESTS } from './reviewRequests.ts';
import {
  count,
  kept,
  leadership,
  length,
  many,
  maybe,
  nothing,
  onDependencyFailure,
  plannedTask,
  text,
  whole,
} from './storeFields.ts';

const lease = z.strictObject({ taskId: text, attemptId: text, epoch: whole, workerId: text, incarnation: whole });
const ofLease = z.strictObject({ lease });
const worker = { workerId: text, incarnation: whole };
const judgeDetails = z.strictObject({
  /** `none`: it gave no verdict, and `reason` says why. */
  verdict: z.enum(['ok', 'rejected', 'none']),
  reason: text,
  model: text.exactOptional(),
  inputTokens: whole,
  outputTokens: whole,
  /** Absent when the price is not known. */
  costUsd: z.number().exactOptional(),
  /** How often a verifier asked, without repairs of an answer. */
  asks: whole,
  /** When a verdict that is missing and must not be is asked for again, by the store's clock. */
  askAgainAt: whole.exactOptional(),
});

const details = z
  .strictObject({
    branch: text.exactOptional(),
    worktree: text.exactOptional(),
    baseCommit: text.exactOptional(),
    headCommit: text.exactOptional(),
    /** The branch of an earlier attempt that this one started from. */
    continuedFrom: text.exactOptional(),
    wipRef: text.exactOptional(),
    /** The last commit of its branch that the task's remote has; of its uncommitted work, the commit on `wipRef` there. */
    pushedCommit: text.exactOptional(),
    pushedWip: text.exactOptional(),
    /** Why its latest work is not on the remote; empty when it is. */
    pushProblem: text.exactOptional(),
    /** Of its agent, and the file of its conversation on the worker's machine. */
    session: text.exactOptional(),
    transcript: text.exactOptional(),
    tokens: z.number().exactOptional(),
    costUsd: z.number().exactOptional(),
    /** What its completion has to pass when the task itself names nothing: `definition of done`. */
    verify: text.exactOptional(),
    /** What its verifier checked, and where it keeps the proof. */
    verifiedCommit: text.exactOptional(),
    verifiedTree: text.exactOptional(),
    verifiedBy: text.exactOptional(),
    receipt: text.exactOptional(),
    /** What the judge of its verification found, and what asking it cost, besides `tokens` and `costUsd` of its agent. */
    judge: judgeDetails.exactOptional(),
  })
  .optional();

const change = z.strictObject({ taskId: text, reason: maybe, actor: maybe });
const queueChange = z.strictObject({ queue: text, reason: maybe, actor: maybe });
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
    /** They apply from the next attempt on. */
    repository: kept.nullish(),
    base: kept.nullish(),
    /** Null removes it. */
    judge: kept.nullish(),
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
  renewVerification: z.strictObject({
    taskId: text,
    verifyEpoch: whole,
    ttlMs: z.number(),
    /** What it found so far, for people and for other verifiers. */
    details,
  }),
  settleVerification: z.strictObject({
    taskId: text,
    verifyEpoch: whole,
    verdict: z.enum(['pass', 'reject']),
    reason: maybe,
    /** For the next attempt. */
    notes: maybe,
    /** Of a rejection: why no worker may claim the task again before a person has looked at it. */
    hold: kept.optional(),
    details,
  }),
};

/** Refused when the store has another one; the first one that is named becomes that of the store. */
const lengthOfLease = whole.min(1).optional();

const WORKER_REQUESTS = {
  launch: z.strictObject({
    ...allFacts,
    slot: text,
    /** How long it may take to register. */
    deadlineMs: z.number(),
    /** Refused if another process leads now. */
    leader: leadership.optional(),
  }),
  endLaunch: z.strictObject({ slot: text, incarnation: whole, result: text }),
  /** `incarnation`: one that a launch reserved, or its own again; default: the next. */
  registerWorker: z.strictObject({
    ...allFacts,
    workerId: text,
    incarnation: whole.optional(),
    leaseMs: lengthOfLease,
  }),
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
  lead: z.strictObject({ name: text, holder: text, ttlMs: z.number(), leaseMs: lengthOfLease }),
  resign: z.strictObject({ name: text, holder: text, epoch: whole }),
  /** Without `running` also those that stopped or were lost. */
  workers: z.strictObject({ queue: maybe, workerId: maybe, sessionId: maybe, running: z.boolean().optional() }),
  launches: z.strictObject({ slot: maybe, withinMs: z.number().optional(), limit: z.int().min(0).optional() }),
  accounts: nothing,
};

/**
 * Every operation that is served; moving a store is not. Strict: to a process that serves a store, anything else comes from another
 * version or another program. The types of the operations are derived from these (`store/requests.ts`).
 */
export const STORE_REQUESTS = {
  ...TASK_REQUESTS,
  ...CLAIM_REQUESTS,
  ...REVIEW_REQUESTS,
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
  key: text.max(100).optional(),
});
