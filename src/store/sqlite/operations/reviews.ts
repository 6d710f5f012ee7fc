import type { Requests } from '../../requests.ts';
import { LANDING_LEASE, type Review, type ReviewLimit, type ReviewState, SETTLED_REVIEWS } from '../../review.ts';
import { PLACE } from '../attemptRows.ts';
import { recordEvent } from '../recordEvent.ts';
import type { Operation, Tables } from '../tables.ts';
import { leads } from './accounts.ts';
import { REDRIVE } from './changeTask.ts';
import { liveDuplicate, unmeetDependants } from './dependants.ts';

const AWAIT = `INSERT INTO reviews (task_seq, epoch, state, created_at, updated_at)
  SELECT task_seq, epoch, 'waiting', ?, ? FROM attempts WHERE place = ${PLACE} AND json_extract(details, '$.branch') IS NOT NULL`;

/** The task is done: work on a branch waits for a person. */
export function awaitReview(tables: Tables, { taskSeq, epoch }: { readonly taskSeq: number; readonly epoch: number }) {
  tables.run(AWAIT, tables.now, tables.now, taskSeq, epoch);
}

interface ReviewRow extends Omit<Review, 'details'> {
  readonly details: string;
}

export const OPEN_REVIEW = SETTLED_REVIEWS.map((state) => `r.state <> '${state}'`).join(' AND ');

/** Where the work of its task begins: an attempt that continues another one brings that work, too. */
const WORK_BASE = `CASE WHEN json_extract(a.details, '$.continuedFrom') IS NULL THEN json_extract(a.details, '$.baseCommit')
  ELSE coalesce((SELECT json_extract(b.details, '$.baseCommit') FROM attempts b
    WHERE b.place BETWEEN a.task_seq << 24 AND a.place AND json_extract(b.details, '$.branch') IS NOT NULL
      AND json_extract(b.details, '$.continuedFrom') IS NULL ORDER BY b.place DESC LIMIT 1), json_extract(a.details, '$.baseCommit')) END`;

/** Its work changed something, as far as that is known. */
export const CHANGED = `coalesce(json_extract(a.details, '$.headCommit') <> (${WORK_BASE}), true)`;

const REVIEWS = `SELECT t.id AS task_id, r.epoch, a.id AS attempt_id, r.state, t.title, t.queue, t.verify, r.repository, r.target, r.method,
  r.reviewed_commit, r.landed_commit, r.reason, r.return_to, r.actor, r.leader_epoch, r.created_at, r.updated_at,
  (SELECT holder FROM leaders WHERE name = '${LANDING_LEASE}' || r.repository || ' ' || r.target AND expires_at > ?) AS landing_holder,
  json_patch(a.details, json_object('baseCommit', ${WORK_BASE})) AS details, a.result, a.started_at, a.ended_at
  FROM reviews r JOIN attempts a ON a.place = (r.task_seq << 24 | r.epoch) JOIN tasks t ON t.seq = r.task_seq
  WHERE (? IS NULL OR t.queue = ?) AND (? IS NULL OR t.id = ?) AND (? IS NULL OR r.repository = ?) AND (? IS NULL OR r.target = ?)
  AND ${CHANGED}`;

const DEFAULT_LIMIT = 1_000;

export const reviews: Operation<'reviews'> = (tables, request) => {
  const { queue = null, taskId = null, repository = null, target = null, states, limit = DEFAULT_LIMIT } = request;
  const filters = [tables.now, queue, queue, taskId, taskId, repository, repository, target, target];
  const inState = states ? 'AND r.state IN (SELECT value FROM json_each(?))' : `AND ${OPEN_REVIEW}`;
  const values = states ? [...filters, JSON.stringify(states)] : filters;
  const order = 'ORDER BY r.created_at, r.task_seq, r.epoch LIMIT ?';
  const rows = tables.all<ReviewRow>(`${REVIEWS} ${inState} ${order}`, ...values, limit);
  return {
    type: 'reviews',
    now: tables.now,
    reviews: rows.map((row) => ({ ...row, details: JSON.parse(row.details) })),
  };
};

interface Changing {
  readonly taskSeq: number;
  readonly attemptId: string;
  readonly state: ReviewState;
  readonly dedupeKey: string | null;
}

const CHANGING = `SELECT r.task_seq, a.id AS attempt_id, r.state, t.dedupe_key FROM tasks t
  JOIN reviews r ON r.task_seq = t.seq AND r.epoch = ? JOIN attempts a ON a.place = (r.task_seq << 24 | r.epoch) WHERE t.id = ?`;

const FIELDS = {
  repository: 'repository',
  target: 'target',
  method: 'method',
  reviewedCommit: 'reviewed_commit',
  landedCommit: 'landed_commit',
  reason: 'reason',
  returnTo: 'return_to',
} as const;

/** From one state to another, unless another process was faster. */
export const changeReview: Operation<'changeReview'> = (tables, request) => {
  const { taskId, epoch, from, to, leader, actor } = request;
  const review = tables.get<Changing>(CHANGING, epoch, taskId);
  if (!review) return { type: 'unknownReview' };
  if (leader && !leads(tables, leader)) return { type: 'notLeading' };
  const { taskSeq, attemptId } = review;
  if (!from.includes(review.state)) return { type: 'refused', reason: 'state', state: review.state };
  const duplicate = request.requeue ? liveDuplicate(tables, review.dedupeKey) : undefined;
  if (duplicate) return { type: 'refused', reason: 'duplicate', existingId: duplicate.id };
  const given = Object.entries(FIELDS).flatMap(([name, column]) => {
    const value = request[name as keyof typeof FIELDS];
    return value === undefined ? [] : [{ column, value }];
  });
  const columns = ['state', 'actor', 'leader_epoch', 'updated_at', ...given.map(({ column }) => column)];
  const values = [to, actor ?? null, leader?.epoch ?? null, tables.now, ...given.map(({ value }) => value)];
  const set = columns.map((column) => `${column} = ?`).join(', ');
  tables.run(`UPDATE reviews SET ${set} WHERE task_seq = ? AND epoch = ?`, ...values, taskSeq, epoch);
  const { reason = null, target = null, landedCommit = null } = request;
  recordEvent(
    tables,
    'task.reviewed',
    { taskSeq, attemptId, epoch, actor },
    { review: to, reason, target, landedCommit },
  );
  if (request.requeue) reopen(tables, { taskSeq, attemptId }, request);
  return { type: 'changed', state: to };
};

const REJECT = `UPDATE attempts SET state = 'failed', outcome = 'rejected', error = ?, checkpoint = ?, checkpoint_at = ?
  WHERE place = ${PLACE}`;

/** A task that is done is not wanted as it is: its next attempt gets the reason, and continues from its branch. */
function reopen(
  tables: Tables,
  { taskSeq, attemptId }: Pick<Changing, 'taskSeq' | 'attemptId'>,
  { epoch, reason = null, requeue, actor }: Requests['changeReview'],
): void {
  const { now } = tables;
  tables.run(REJECT, reason, requeue?.notes ?? null, now, taskSeq, epoch);
  tables.run(REDRIVE, now, now, taskSeq);
  tables.run('UPDATE tasks SET last_error = ? WHERE seq = ?', reason, taskSeq);
  const change = { state: 'queued', failures: 0, reclaims: 0, releases: 0, runAt: now, attemptState: 'failed', reason };
  recordEvent(tables, 'task.reopened', { taskSeq, attemptId, epoch, actor }, change);
  unmeetDependants(tables, taskSeq);
}

const LIMITS = `SELECT l.queue, l.most AS "limit", (SELECT count(*) FROM reviews r JOIN attempts a ON a.place = (r.task_seq << 24 | r.epoch)
    JOIN tasks t ON t.seq = r.task_seq WHERE ${OPEN_REVIEW} AND (r.state = 'waiting' OR r.state = 'returned') AND t.queue = l.queue AND ${CHANGED}
  ) AS waiting FROM review_limits l WHERE (? IS NULL OR l.queue = ?) ORDER BY l.queue`;

export const reviewLimits: Operation<'reviewLimits'> = (tables, { queue = null }) => ({
  type: 'reviewLimits',
  limits: tables.all<ReviewLimit>(LIMITS, queue, queue),
});

const LIMIT = 'INSERT INTO review_limits VALUES (?, ?) ON CONFLICT (queue) DO UPDATE SET most = excluded.most';

export const limitReviews: Operation<'limitReviews'> = (tables, { queue, limit, actor }) => {
  const before = tables.get<{ most: number }>('SELECT most FROM review_limits WHERE queue = ?', queue)?.most ?? null;
  if (before === limit) return { type: 'unchanged' };
  if (limit === null) tables.run('DELETE FROM review_limits WHERE queue = ?', queue);
  else tables.run(LIMIT, queue, limit);
  recordEvent(tables, 'queue.reviewsLimited', { actor }, { queue, limit });
  return { type: 'changed' };
};
