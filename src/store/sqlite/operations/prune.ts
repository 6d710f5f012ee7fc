import { definedOnly } from '../../../system/definedOnly.ts';
import type { AttemptDetails } from '../../attempt.ts';
import type { PrunableTask } from '../../growthOutcomes.ts';
import type { Requests } from '../../requests.ts';
import { recordEvent } from '../recordEvent.ts';
import { putSetting, setting } from '../settings.ts';
import type { Operation, Tables } from '../tables.ts';
import { CHANGED, OPEN_REVIEW } from './reviews.ts';

/** Read at most per page, so that no transaction takes long. */
const WINDOW = 10_000;
const DEFAULT_LIMIT = 1_000;

/**
 * Ended for long enough, and needed by nothing: tasks that depend on it are done, tasks that it is the parent of have ended. Dependants
 * that are dead or cancelled can be requeued, so they keep it; so does work that waits for a person. The newest task stays: its number must not be given to another one.
 */
const MAY_GO = `(t.state = 'done' OR t.state = 'cancelled' OR (? = 1 AND t.state = 'dead')) AND t.updated_at <= ?
  AND (? IS NULL OR t.queue = ?)
  AND NOT EXISTS (SELECT 1 FROM dependencies d JOIN tasks x ON x.seq = d.task_seq WHERE d.depends_on = t.seq AND x.state <> 'done')
  AND NOT EXISTS (SELECT 1 FROM tasks c WHERE c.parent_id = t.id AND (c.state = 'queued' OR c.state = 'claimed' OR c.state = 'verifying'))
  AND NOT EXISTS (SELECT 1 FROM reviews r JOIN attempts a ON a.place = (r.task_seq << 24 | r.epoch)
    WHERE r.task_seq = t.seq AND ${OPEN_REVIEW} AND ${CHANGED})
  AND t.seq < (SELECT max(seq) FROM tasks)`;

type Ended = Pick<Requests['prune'], 'olderThanMs' | 'dead' | 'queue'>;

const valuesOf = (tables: Tables, { olderThanMs, dead = false, queue }: Ended) => [
  dead ? 1 : 0,
  tables.now - olderThanMs,
  queue ?? null,
  queue ?? null,
];

const FIRST = 'SELECT min(seq) AS seq FROM tasks WHERE seq > ?';
const LAST = 'SELECT max(seq) AS seq FROM tasks';
const PAGE = `SELECT t.seq, t.id, t.title, t.state, t.updated_at, t.epoch FROM tasks t WHERE t.seq >= ? AND t.seq < ? AND ${MAY_GO}
  ORDER BY t.seq LIMIT ?`;

type Row = Omit<PrunableTask, 'left' | 'attempts' | 'events'> & { readonly seq: number };

export const prunable: Operation<'prunable'> = (tables, request) => {
  const { after = '0', limit = DEFAULT_LIMIT } = request;
  const first = tables.get<{ seq: number | null }>(FIRST, Number(after))?.seq ?? null;
  if (first === null) return { type: 'prunable', tasks: [], next: null };
  const end = first + WINDOW;
  const rows = tables.all<Row>(PAGE, first, end, ...valuesOf(tables, request), limit);
  const last = tables.get<{ seq: number }>(LAST)?.seq ?? 0;
  const seen = rows.length === limit ? (rows.at(-1)?.seq ?? last) : end - 1;
  return {
    type: 'prunable',
    tasks: rows.map((row) => withLeft(tables, row, tables.now - request.olderThanMs)),
    next: seen >= last ? null : String(seen),
  };
};

const ATTEMPTS = 'SELECT epoch, details FROM attempts WHERE place BETWEEN ? << 24 AND (? + 1 << 24) - 1 ORDER BY place';
const EVENTS = `WITH RECURSIVE chain (seq) AS (
  SELECT last_event FROM tasks WHERE seq = ? UNION ALL
  SELECT previous FROM chain CROSS JOIN events USING (seq) WHERE previous IS NOT NULL
) SELECT count(*) AS count FROM chain CROSS JOIN events e ON e.seq = chain.seq WHERE e.at <= ?
  AND e.seq < (SELECT max(seq) FROM events)`;

function withLeft(tables: Tables, { seq, ...task }: Row, before: number): PrunableTask {
  const attempts = tables.all<{ epoch: number; details: string }>(ATTEMPTS, seq, seq);
  const left = attempts.flatMap(({ epoch, details }) => {
    const { branch, worktree, wipRef }: AttemptDetails = JSON.parse(details);
    const places = definedOnly({ branch, worktree, wipRef });
    return Object.keys(places).length === 0 ? [] : [{ epoch, ...places }];
  });
  const events = tables.get<{ count: number }>(EVENTS, seq, before)?.count ?? 0;
  return { ...task, attempts: attempts.length, events, left };
}

const STILL = `SELECT t.seq FROM tasks t WHERE t.id = ? AND ${MAY_GO}`;

const REMOVE = [
  'DELETE FROM bodies WHERE task_seq = ?',
  'DELETE FROM reviews WHERE task_seq = ?',
  'DELETE FROM dependencies WHERE task_seq = ?',
  'DELETE FROM dependencies WHERE depends_on = ?',
  'DELETE FROM tasks WHERE seq = ?',
];
const REMOVE_ATTEMPTS = 'DELETE FROM attempts WHERE place BETWEEN ? << 24 AND (? + 1 << 24) - 1';

export const prune: Operation<'prune'> = (tables, request) => {
  const removed: string[] = [];
  let attempts = 0;
  for (const id of request.ids) {
    const seq = tables.get<{ seq: number }>(STILL, id, ...valuesOf(tables, request))?.seq;
    if (seq === undefined) continue;
    attempts += tables.change(REMOVE_ATTEMPTS, seq, seq);
    for (const sql of REMOVE) tables.run(sql, seq);
    removed.push(id);
  }
  return { type: 'pruned', ids: removed, attempts };
};

const NEXT_EVENTS = `SELECT seq, at, task_seq IS NULL OR NOT EXISTS (SELECT 1 FROM tasks WHERE seq = events.task_seq) AS is_gone
  FROM events WHERE seq > ? AND seq < (SELECT max(seq) FROM events) ORDER BY seq LIMIT ?`;
const TRIM = 'UPDATE meta SET trimmed_to = max(trimmed_to, ?)';
const REMOVE_EVENTS = `DELETE FROM events WHERE seq > ? AND seq <= ?
  AND (task_seq IS NULL OR NOT EXISTS (SELECT 1 FROM tasks WHERE seq = events.task_seq))`;

/**
 * Up to the first event that is not old enough: behind it, none is removed. What a feed may lack is recorded first: the trigger of
 * the table lets nothing else go.
 */
export const trimEvents: Operation<'trimEvents'> = (tables, { olderThanMs, after = '0', limit, dryRun = false }) => {
  const from = Number(after);
  const read = tables.all<{ seq: number; at: number; isGone: number }>(NEXT_EVENTS, from, limit);
  const young = read.findIndex(({ at }) => at > tables.now - olderThanMs);
  const old = young === -1 ? read : read.slice(0, young);
  const last = old.at(-1)?.seq;
  const count = old.filter(({ isGone }) => isGone).length;
  if (count > 0 && last !== undefined && !dryRun) {
    tables.run(TRIM, last);
    tables.run(REMOVE_EVENTS, from, last);
  }
  return { type: 'trimmed', count, next: old.length < limit || last === undefined ? null : String(last) };
};

const OLD_LAUNCHES = 'DELETE FROM launches WHERE ended_at IS NOT NULL AND requested_at <= ?';

export const notePruned: Operation<'notePruned'> = (tables, { actor, ...counts }) => {
  tables.run(OLD_LAUNCHES, tables.now - Math.max(counts.olderThanMs, LAUNCHES_COUNT_MS));
  recordEvent(tables, 'store.pruned', { actor }, counts);
  return { type: 'noted' };
};

/** Restarts are decided by younger ones. */
const LAUNCHES_COUNT_MS = 24 * 60 * 60_000;

export const setPolicy: Operation<'setPolicy'> = (tables, { keepDoneMs, dead = false, actor }) => {
  const value = JSON.stringify({ keepDoneMs, dead });
  if (value === (setting(tables, 'policy') ?? NO_POLICY)) return { type: 'unchanged' };
  putSetting(tables, 'policy', value);
  recordEvent(tables, 'store.policySet', { actor }, { keepDoneMs, dead });
  return { type: 'changed' };
};

const NO_POLICY = JSON.stringify({ keepDoneMs: null, dead: false });

export const policy: Operation<'policy'> = (tables) => {
  const lastRunAt = setting(tables, 'policyRunAt');
  return {
    type: 'policy',
    now: tables.now,
    ...(JSON.parse(setting(tables, 'policy') ?? NO_POLICY) as { keepDoneMs: number | null; dead: boolean }),
    lastRunAt: lastRunAt === undefined ? null : Number(lastRunAt),
  };
};

export const takePolicyTurn: Operation<'takePolicyTurn'> = (tables, { everyMs }) => {
  const { keepDoneMs, lastRunAt } = policy(tables, {});
  const isDue = lastRunAt === null || tables.now - lastRunAt >= everyMs;
  if (keepDoneMs === null || !isDue) return { type: 'notNow' };
  putSetting(tables, 'policyRunAt', String(tables.now));
  return { type: 'yours' };
};
