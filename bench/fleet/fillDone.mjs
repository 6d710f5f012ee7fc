import { DatabaseSync } from 'node:sqlite';
import postgres from 'postgres';
import { fill } from '../store/contestants/ours.mjs';

/** Done tasks as a fleet leaves them: one is done normally, the others are its copies, each with its attempt and its events. */
export async function fillDone({ library, ids, place, count }) {
  await doOne({ library, ids, place });
  await (place.startsWith('postgres') ? copyInPostgres : copyInSqlite)(place, count - 1);
}

async function doOne({ library, ids, place }) {
  await fill({ library, place, count: 1 });
  const { openStore } = await import(library);
  const { newClaimKey } = await import(ids);
  const store = await openStore(place, { connections: 1 });
  const { incarnation } = await store.registerWorker({ workerId: 'filler', kind: 'bench' });
  const { lease } = await store.claim({ workerId: 'filler', incarnation, claimKey: newClaimKey() });
  await store.complete({ lease, result: 'done' });
  await store.stopWorker({ workerId: 'filler', incarnation, exitReason: 'idle' });
  await store.close();
}

/** `INSERT … SELECT` of all columns of one row for each number n, with other values for some. */
function copying(table, columns, { others, from }) {
  const names = columns.filter((name) => others[name] !== null);
  const values = names.map((name) => others[name] ?? `t.${name}`);
  return `INSERT INTO ${table} (${names.join(', ')}) SELECT ${values.join(', ')} FROM ${table} t, ${from}`;
}

function copyInSqlite(place, count) {
  const database = new DatabaseSync(place);
  const columnsOf = (table) =>
    database
      .prepare(`PRAGMA table_info(${table})`)
      .all()
      .map(({ name }) => name);
  const one = database.prepare('SELECT seq, attempt_id, last_event FROM tasks').get();
  const { most } = database.prepare('SELECT max(seq) AS most FROM events').get();
  const series = `(WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < ${count}) SELECT n FROM s) s`;
  const copy = (table, others, where) =>
    database.exec(copying(table, columnsOf(table), { others, from: `${series} WHERE ${where}` }));
  const later = (name) => `CASE WHEN t.${name} IS NULL THEN NULL ELSE t.${name} + n * ${most} END`;
  database.exec('BEGIN');
  copy(
    'tasks',
    { seq: `${one.seq} + n`, id: "'bench-' || n", attempt_id: "'attempt-' || n", last_event: later('last_event') },
    `t.seq = ${one.seq}`,
  );
  copy('bodies', { task_seq: `${one.seq} + n` }, `t.task_seq = ${one.seq}`);
  copy(
    'attempts',
    { place: `((${one.seq} + n) << 24) | t.epoch`, task_seq: `${one.seq} + n`, id: "'attempt-' || n" },
    `t.task_seq = ${one.seq}`,
  );
  copy(
    'events',
    { seq: later('seq'), task_seq: `${one.seq} + n`, attempt_id: "'attempt-' || n", previous: later('previous') },
    `t.task_seq = ${one.seq}`,
  );
  database.exec('COMMIT');
  database.close();
}

async function copyInPostgres(place, count) {
  const sql = postgres(place, { max: 1, fetch_types: false, onnotice: () => {} });
  const columnsOf = async (table) =>
    (
      await sql`SELECT column_name AS name FROM information_schema.columns
        WHERE table_schema = 'stopgate' AND table_name = ${table}`
    ).map(({ name }) => name);
  const [{ seq }] = await sql`SELECT seq FROM stopgate.tasks`;
  const from = `generate_series(1, ${count}) n`;
  const copy = async (table, others, where) =>
    sql.unsafe(copying(`stopgate.${table}`, await columnsOf(table), { others, from: `${from} WHERE ${where}` }));
  await copy('tasks', { seq: `${seq} + n`, id: "'bench-' || n", attempt_id: "'attempt-' || n" }, `t.seq = ${seq}`);
  await sql.unsafe(`SELECT setval(pg_get_serial_sequence('stopgate.tasks', 'seq'), max(seq)) FROM stopgate.tasks`);
  await copy('attempts', { task_seq: `${seq} + n`, id: "'attempt-' || n" }, `t.task_seq = ${seq}`);
  await copy(
    'events',
    { xid: null, seq: null, task_seq: `${seq} + n`, attempt_id: "'attempt-' || n" },
    `t.task_seq = ${seq}`,
  );
  // as in a database that has been in use
  await sql.unsafe('VACUUM ANALYZE');
  await sql.unsafe('CHECKPOINT');
  await sql.end();
}
