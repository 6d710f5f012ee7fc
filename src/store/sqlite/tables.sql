-- `seq` is the order of arrival and what rows refer to each other by; ids are for callers. A task's text is in `bodies` because SQLite
-- writes a whole row at every change of state.
--
-- Every commit writes and syncs each page that it changed, so claims and settlements change few trees: no index over live attempts,
-- because their workers name them, and none over the events of a task, because each names its predecessor (`previous`) and the task
-- its last one (`last_event`). An attempt's `place` is its task and epoch in one number, because a tree with a number for its key
-- keeps rows only in its leaves and fills them completely.
--
-- `tasks_ready` is ordered by type, and a claim of any type looks at each: there are few types, and a second index would be one more
-- page at every claim. It ends in `run_at`: within a priority, what is due comes before what is delayed, so one entry per type and
-- priority shows whether anything is due.
--
-- The conditions of the indexes are those of indexConditions.ts, word for word. None has `IN (...)`: for more than two values SQLite
-- creates a table, and it did so three times at each change of a task.

CREATE TABLE meta (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  generation INTEGER NOT NULL,
  moved_to TEXT
) STRICT;
INSERT INTO meta VALUES (1, 1, NULL);

CREATE TABLE tasks (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  queue TEXT NOT NULL,
  type TEXT NOT NULL,
  priority INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state = 'queued' OR state = 'claimed' OR state = 'verifying' OR state = 'done' OR state = 'dead' OR state = 'cancelled'),
  run_at INTEGER NOT NULL,
  unmet INTEGER NOT NULL CHECK (unmet >= 0),
  epoch INTEGER NOT NULL DEFAULT 0,
  attempt_id TEXT,
  failures INTEGER NOT NULL DEFAULT 0,
  reclaims INTEGER NOT NULL DEFAULT 0,
  releases INTEGER NOT NULL DEFAULT 0,
  max_failures INTEGER NOT NULL,
  max_reclaims INTEGER NOT NULL,
  max_releases INTEGER NOT NULL,
  backoff_ms INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  time_budget_ms INTEGER,
  cost_budget_usd REAL,
  dedupe_key TEXT,
  parent_id TEXT,
  hold_reason TEXT,
  last_error TEXT,
  verify TEXT,
  verify_epoch INTEGER NOT NULL DEFAULT 0,
  verify_holder TEXT,
  verify_until INTEGER,
  verify_reply TEXT,
  last_event INTEGER,
  title TEXT NOT NULL
) STRICT;
CREATE INDEX tasks_ready ON tasks (queue, type, priority, run_at) WHERE state = 'queued' AND unmet = 0 AND hold_reason IS NULL;
CREATE INDEX tasks_waiting ON tasks (queue, hold_reason) WHERE state = 'queued' AND (unmet > 0 OR hold_reason IS NOT NULL);
CREATE INDEX tasks_apart ON tasks (state) WHERE (state = 'verifying' OR state = 'dead' OR state = 'cancelled');
CREATE UNIQUE INDEX tasks_dedupe ON tasks (dedupe_key) WHERE dedupe_key IS NOT NULL AND (state = 'queued' OR state = 'claimed' OR state = 'verifying');
CREATE INDEX tasks_parent ON tasks (parent_id) WHERE parent_id IS NOT NULL;

CREATE TABLE bodies (
  task_seq INTEGER PRIMARY KEY,
  body TEXT NOT NULL
) STRICT;

CREATE TABLE dependencies (
  task_seq INTEGER NOT NULL,
  depends_on INTEGER NOT NULL,
  on_failure TEXT NOT NULL,
  met INTEGER NOT NULL,
  PRIMARY KEY (task_seq, depends_on)
) STRICT, WITHOUT ROWID;
CREATE INDEX dependencies_unmet ON dependencies (depends_on) WHERE met = 0;

CREATE TABLE attempts (
  place INTEGER PRIMARY KEY,
  task_seq INTEGER NOT NULL,
  epoch INTEGER NOT NULL CHECK (place = (task_seq << 24 | epoch) AND epoch < 1 << 24),
  id TEXT NOT NULL UNIQUE,
  worker_id TEXT NOT NULL,
  incarnation INTEGER NOT NULL,
  state TEXT NOT NULL,
  claimed_at INTEGER NOT NULL,
  offered_at INTEGER,
  offer_until INTEGER,
  started_at INTEGER,
  deadline_at INTEGER,
  extended_ms INTEGER NOT NULL DEFAULT 0,
  ended_at INTEGER,
  outcome TEXT,
  counts_as_failure INTEGER NOT NULL DEFAULT 0,
  checkpoint TEXT,
  checkpoint_at INTEGER,
  details TEXT NOT NULL DEFAULT '{}',
  result TEXT,
  late_result TEXT,
  error TEXT,
  settled_by TEXT,
  reply TEXT
) STRICT;
CREATE INDEX attempts_offered ON attempts (offer_until) WHERE state = 'offered';

CREATE TABLE workers (
  id TEXT PRIMARY KEY,
  incarnation INTEGER NOT NULL,
  kind TEXT NOT NULL,
  queue TEXT NOT NULL,
  types TEXT,
  host TEXT,
  pid INTEGER,
  pid_start TEXT,
  session_id TEXT,
  account_key TEXT,
  idle_limit_ms INTEGER,
  state TEXT NOT NULL CHECK (state = 'launching' OR state = 'live' OR state = 'draining' OR state = 'stopped' OR state = 'lost'),
  registered_at INTEGER NOT NULL,
  launch_until INTEGER,
  heartbeat_at INTEGER NOT NULL,
  activity_at INTEGER NOT NULL,
  tool_started_at INTEGER,
  last_claimed_at INTEGER,
  last_settled_at INTEGER,
  suspect_at INTEGER,
  stop_blocks INTEGER NOT NULL DEFAULT 0,
  last_block_reason TEXT,
  exit_code INTEGER,
  exit_reason TEXT,
  attempt_id TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX workers_session ON workers (session_id) WHERE session_id IS NOT NULL;

CREATE TABLE events (
  seq INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  task_seq INTEGER,
  attempt_id TEXT,
  worker_id TEXT,
  epoch INTEGER,
  actor TEXT,
  previous INTEGER,
  data TEXT NOT NULL
) STRICT;
CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
CREATE TRIGGER events_no_delete BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;

CREATE TABLE queues (name TEXT PRIMARY KEY, paused_at INTEGER, reason TEXT) STRICT, WITHOUT ROWID;
CREATE TABLE accounts (key TEXT PRIMARY KEY, paused_until INTEGER, source TEXT) STRICT, WITHOUT ROWID;
CREATE TABLE leaders (
  name TEXT PRIMARY KEY,
  holder TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE launches (
  slot TEXT NOT NULL,
  incarnation INTEGER NOT NULL,
  requested_at INTEGER NOT NULL,
  started_at INTEGER,
  ended_at INTEGER,
  result TEXT,
  PRIMARY KEY (slot, incarnation)
) STRICT, WITHOUT ROWID;
CREATE INDEX launches_requested ON launches (requested_at);
