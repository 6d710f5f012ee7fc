import postgres from 'postgres';
import { fill } from './contestants/ours.mjs';

const FILL = `WITH added AS (
    INSERT INTO stopgate.tasks (id, queue, type, priority, state, run_at, unmet, max_failures, max_reclaims, max_releases,
      backoff_ms, created_at, updated_at, title, body)
    SELECT 'bench-' || n, t.queue, t.type, t.priority, 'queued', t.run_at, 0, t.max_failures, t.max_reclaims, t.max_releases,
      t.backoff_ms, t.created_at, t.updated_at, t.title, t.body
    FROM stopgate.tasks t, generate_series(1, $1::int) n WHERE t.seq = (SELECT min(seq) FROM stopgate.tasks)
    RETURNING seq, queue, type, priority, run_at),
  announced AS (
    INSERT INTO stopgate.events (at, kind, task_seq, data)
    SELECT e.at, e.kind, added.seq, e.data
      FROM added, (SELECT * FROM stopgate.events WHERE kind = 'task.added' ORDER BY xid, seq LIMIT 1) e)
  INSERT INTO stopgate.ready SELECT seq, queue, type, priority, run_at FROM added`;

/** Adds one task normally, and the others as its copies, because adding a million normally takes minutes. */
export async function fillOursFast({ library, place, count }) {
  await fill({ library, place, count: 1 });
  const sql = postgres(place, { max: 1, fetch_types: false, onnotice: () => {} });
  await sql.unsafe(FILL, [count - 1]);
  await sql.end();
}
