-- Concurrency keys, limits of queues, schedules, and what prune needs. See docs/fleet.md.
--
-- A claim looks for tasks in lanes: tasks without a key are in the lane of their queue, all others in one lane for each queue and
-- key. So a claim from a queue without keys reads what it read before, and a full key costs one step, however many tasks it has.
ALTER TABLE tasks ADD COLUMN concurrency_key TEXT;
ALTER TABLE tasks ADD COLUMN concurrency_limit INTEGER;
ALTER TABLE tasks ADD COLUMN lane TEXT
  GENERATED ALWAYS AS (CASE WHEN concurrency_key IS NULL THEN queue ELSE queue || char(1) || concurrency_key END) VIRTUAL;
DROP INDEX tasks_ready;
CREATE INDEX tasks_ready ON tasks (lane, type, priority, run_at) WHERE state = 'queued' AND unmet = 0 AND hold_reason IS NULL;

ALTER TABLE queues ADD COLUMN max_claimed INTEGER;

-- `task` is a planned task without its id; times are those of the store.
CREATE TABLE schedules (
  id TEXT PRIMARY KEY,
  cron TEXT,
  every_ms INTEGER,
  timezone TEXT,
  task TEXT NOT NULL,
  overlap INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  paused_at INTEGER,
  next_due_at INTEGER NOT NULL,
  last_due_at INTEGER,
  last_task_id TEXT,
  fired INTEGER NOT NULL DEFAULT 0,
  missed INTEGER NOT NULL DEFAULT 0,
  skipped INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- Whether any task, ended or not, depends on one that could be removed.
CREATE INDEX dependencies_on ON dependencies (depends_on);

-- Events up to this one may be removed, once their task is.
ALTER TABLE meta ADD COLUMN trimmed_to INTEGER NOT NULL DEFAULT 0;
DROP TRIGGER events_no_delete;
CREATE TRIGGER events_no_delete BEFORE DELETE ON events
  WHEN OLD.seq > (SELECT trimmed_to FROM meta) OR EXISTS (SELECT 1 FROM tasks WHERE seq = OLD.task_seq)
  BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
