import postgres from 'postgres';
import { pullLoop, warmUp } from '../pullLoop.mjs';

const SCHEMA = `CREATE TABLE IF NOT EXISTS tasks (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, state text NOT NULL DEFAULT 'queued',
    priority integer NOT NULL DEFAULT 100, run_at bigint NOT NULL DEFAULT 0, epoch bigint NOT NULL DEFAULT 0, worker text,
    result text, title text NOT NULL, body text NOT NULL);
  CREATE INDEX IF NOT EXISTS ready ON tasks (priority, run_at, id) WHERE state = 'queued'`;

/** Plain SKIP LOCKED, two statements per task: no attempts, no events. The same driver as ours. */
export async function open({ place, number }) {
  const sql = connect(place);
  const worker = `worker-${number}`;
  await sql`SELECT 1`;
  const claim = async () => {
    const [task] = await sql`WITH next AS MATERIALIZED (
        SELECT id FROM tasks WHERE state = 'queued' AND run_at <= extract(epoch FROM now()) * 1000
          ORDER BY priority, run_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
      UPDATE tasks t SET state = 'claimed', epoch = t.epoch + 1, worker = ${worker} FROM next WHERE t.id = next.id
      RETURNING t.id, t.epoch, t.title, t.body`;
    return task;
  };
  const complete = async ({ id, epoch }) => {
    const { count } = await sql`UPDATE tasks SET state = 'done', result = 'done' WHERE id = ${id} AND epoch = ${epoch}`;
    if (count !== 1) throw new Error('not accepted');
  };
  await warmUp({ claim, complete });
  return { work: (order) => pullLoop({ claim, complete }, order), close: () => sql.end() };
}

export async function fill({ place, count }) {
  const sql = connect(place);
  await sql.unsafe(SCHEMA);
  await sql`INSERT INTO tasks (title, body) SELECT 'Count the stars', 'All of them.' FROM generate_series(1, ${count}::int)`;
  await sql.end();
}

function connect(place) {
  return postgres(place, { max: 1, fetch_types: false, onnotice: () => {} });
}
