import { DatabaseSync } from 'node:sqlite';
import { pullLoop, warmUp } from '../pullLoop.mjs';

const BUSY_TIMEOUT_MS = 10_000;
const SCHEMA = `CREATE TABLE IF NOT EXISTS tasks (
    id INTEGER PRIMARY KEY, state TEXT NOT NULL DEFAULT 'queued', priority INTEGER NOT NULL DEFAULT 100,
    run_at INTEGER NOT NULL DEFAULT 0, epoch INTEGER NOT NULL DEFAULT 0, worker TEXT, result TEXT,
    title TEXT NOT NULL, body TEXT NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS ready ON tasks (priority, run_at, id) WHERE state = 'queued'`;
const FILL = `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?)
  INSERT INTO tasks (title, body) SELECT 'Count the stars', 'All of them.' FROM n`;
const CLAIM = `UPDATE tasks SET state = 'claimed', epoch = epoch + 1, worker = ? WHERE id = (
    SELECT id FROM tasks WHERE state = 'queued' AND run_at <= ? ORDER BY priority, run_at, id LIMIT 1)
  RETURNING id, epoch, title, body`;

/** A minimal queue: one table, no attempts, no events, and SQLite's own waiting. */
export async function open({ place, number }) {
  const database = openAt(place);
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  const take = database.prepare(CLAIM);
  const end = database.prepare(`UPDATE tasks SET state = 'done', result = ? WHERE id = ? AND epoch = ?`);
  const claim = () => {
    begin.run();
    const task = take.get(`worker-${number}`, Date.now());
    commit.run();
    return task;
  };
  const complete = ({ id, epoch }) => {
    begin.run();
    if (end.run('done', id, epoch).changes !== 1) throw new Error('not accepted');
    commit.run();
  };
  await warmUp({ claim, complete });
  return { work: (order) => pullLoop({ claim, complete }, order), close: () => database.close() };
}

export function fill({ place, count }) {
  const database = openAt(place);
  database.exec(SCHEMA);
  database.prepare(FILL).run(count);
  database.close();
}

function openAt(place) {
  const database = new DatabaseSync(place, { timeout: BUSY_TIMEOUT_MS });
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  return database;
}
