import * as z from 'zod';

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
const keptOrNull = kept.nullable();
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
    /** The last commit of its branch that the task's remote has; of its uncommitted work, the commit on `wipRef` there. */
    pushedCommit: text.exactOptional(),
    pushedWip: text.exactOptional(),
    /** Why its latest work is not on the remote; empty when it is. */
    pushProblem: text.exactOptional(),
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

const plannedTask = z.strictObject({
  id: text.regex(/^[\w.:-]{4,64}$/),
  queue: kept,
  type: kept,
  title: kept.min(1),
  body: kept,
  priority: z.int32(),
  delayMs: whole,
  runAt: whole,
  dependsOn: many,
  onDependencyFailure,
  dedupeKey: keptOrNull,
  parentId: keptOrNull,
  maxFailures: count,
  maxReclaims: count,
  maxReleases: count,
  backoffMs: whole,
  timeBudgetMs: whole.nullable(),
  costBudgetUsd: z.number().nullable(),
  tokenBudget: whole.nullable(),
  totalTimeMs: whole.nullable(),
  verify: keptOrNull,
  holdReason: keptOrNull,
  repository: keptOrNull,
  base: keptOrNull,
  concurrencyKey: keptOrNull,
  concurrencyLimit: count.nullable(),
});

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
    /** They apply from the next attempt on. */
    repository: kept.nullish(),
    base: kept.nullish(),
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

const leadership = z.strictObject({ name: text, holder: text, epoch: whole });
const reviewState = z.enum(['waiting', 'accepted', 'landing', 'landed', 'proposed', 'rejected', 'returned']);

const REVIEW_REQUESTS = {
  /** Default: those that wait for a person or for the landing queue. */
  reviews: z.strictObject({
    states: z.array(reviewState).optional(),
    queue: maybe,
    taskId: maybe,
    repository: maybe,
    target: maybe,
    limit: z.int().min(0).optional(),
  }),
  /** A field that is left out stays; null empties it. */
  changeReview: z.strictObject({
    taskId: text,
    /** Of the attempt. */
    epoch: whole,
    /** Refused in any other state: another person or queue was faster. */
    from: z.array(reviewState),
    to: reviewState,
    repository: text.nullish(),
    target: text.nullish(),
    method: z.enum(['merge', 'rebase', 'squash']).nullish(),
    reviewedCommit: text.nullish(),
    landedCommit: text.nullish(),
    reason: kept.nullish(),
    /** `queue`: work that cannot be landed goes back to the queue, instead of to the person. */
    returnTo: z.literal('queue').nullish(),
    /** With `rejected`: the task goes back to the queue, with the reason and these notes for its next attempt. */
    requeue: z.strictObject({ notes: kept }).optional(),
    /** Refused unless this process leads the landing queue now. */
    leader: leadership.optional(),
    actor: maybe,
  }),
  /** Null: as many as there are. */
  limitReviews: z.strictObject({ queue: text, limit: count.nullable(), actor: maybe }),
  reviewLimits: z.strictObject({ queue: maybe }),
};

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

const SCHEDULE_REQUESTS = {
  /** One of `cron` and `everyMs`; the caller computes due times, because calendars are not a store's business. */
  addSchedule: z.strictObject({
    id: text.regex(/^[\w.:-]{4,64}$/),
    cron: keptOrNull,
    everyMs: z.int().min(1_000).nullable(),
    timezone: keptOrNull,
    overlap: z.boolean(),
    nextDueAt: whole,
    task: plannedTask,
    actor: maybe,
  }),
  changeSchedule: z.strictObject({
    id: text,
    change: z.enum(['pause', 'resume', 'remove']),
    /** For `resume`: times that passed in between are not made up for. */
    nextDueAt: whole.optional(),
    actor: maybe,
  }),
  /** Adds the task of a due time, once: only the first call with the schedule's current `dueAt` does anything. */
  fireSchedule: z.strictObject({
    id: text,
    /** `nextDueAt` of the schedule as it was read. */
    dueAt: whole,
    /** The latest due time that has passed, which the task is for. */
    latestDueAt: whole,
    nextDueAt: whole,
    /** Due times that passed without a task. */
    missed: z.int().min(0),
    taskId: text.regex(/^[\w.:-]{4,64}$/),
    actor: maybe,
  }),
  schedules: z.strictObject({ dueOnly: z.boolean().optional() }),
};

const ended = z.strictObject({
  /** Ended at least this long ago. */
  olderThanMs: length,
  /** Tasks that ended dead, too. */
  dead: z.boolean().optional(),
  queue: maybe,
});

const PRUNE_REQUESTS = {
  /** A page of the tasks that may be removed, oldest first; one that an unfinished task needs is not among them. */
  prunable: ended.extend({ after: maybe, limit: z.int().min(1).max(10_000).optional() }),
  /** Removes those of these tasks that may still be removed, with their attempts. */
  prune: ended.extend({ ids: many.max(1_000), actor: maybe }),
  /** Removes events of tasks that are gone, and of workers, among the next `limit` old events. */
  trimEvents: z.strictObject({
    olderThanMs: length,
    /** `next` of the batch before. */
    after: maybe,
    limit: z.int().min(1).max(10_000),
    dryRun: z.boolean().optional(),
  }),
  /** Records what a whole run removed. */
  notePruned: z.strictObject({
    tasks: whole,
    attempts: whole,
    events: whole,
    olderThanMs: length,
    isPolicy: z.boolean(),
    actor: maybe,
  }),
  /** Null turns it off. */
  setPolicy: z.strictObject({ keepDoneMs: length.nullable(), dead: z.boolean().optional(), actor: maybe }),
  policy: nothing,
  /** True for one caller per interval: automatic runs of several processes must not overlap. */
  takePolicyTurn: z.strictObject({ everyMs: length }),
};

/** Every operation that is served; moving a store is not. */
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
