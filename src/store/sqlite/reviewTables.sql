-- The work of tasks that are done and have a branch, until a person has decided about it, and after. What is over is not in the index.
CREATE TABLE reviews (
  task_seq INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  state TEXT NOT NULL,
  repository TEXT,
  target TEXT,
  method TEXT,
  reviewed_commit TEXT,
  landed_commit TEXT,
  reason TEXT,
  return_to TEXT,
  actor TEXT,
  leader_epoch INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (task_seq, epoch)
) STRICT, WITHOUT ROWID;
CREATE INDEX reviews_open ON reviews (state) WHERE state <> 'landed' AND state <> 'proposed' AND state <> 'rejected';

-- While this many wait for a person, no task of the queue is claimed.
CREATE TABLE review_limits (queue TEXT PRIMARY KEY, most INTEGER NOT NULL) STRICT, WITHOUT ROWID;
