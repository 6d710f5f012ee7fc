-- See storeClock.ts. It belongs to this machine and this file: not exported, not moved.
CREATE TABLE clock (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  boot TEXT NOT NULL,
  booted_at INTEGER NOT NULL,
  ahead_ms INTEGER NOT NULL
) STRICT;
