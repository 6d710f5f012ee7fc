-- A migration: the work of tasks that are done and have a branch, until a person has decided about it, and after.
CREATE TABLE IF NOT EXISTS stopgate.reviews (
  task_seq bigint NOT NULL,
  epoch bigint NOT NULL,
  state text NOT NULL,
  repository text,
  target text,
  method text,
  reviewed_commit text,
  landed_commit text,
  reason text,
  return_to text,
  actor text,
  leader_epoch bigint,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (task_seq, epoch)
);
CREATE INDEX IF NOT EXISTS reviews_open ON stopgate.reviews (state) WHERE state NOT IN ('landed', 'proposed', 'rejected');

-- While this many wait for a person, no task of the queue is claimed.
CREATE TABLE IF NOT EXISTS stopgate.review_limits (queue text COLLATE "C" PRIMARY KEY, most bigint NOT NULL);
