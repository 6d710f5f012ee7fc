-- See engine.ts. About requests on their way to this file: not exported, not moved.
CREATE TABLE answers (key TEXT PRIMARY KEY, at INTEGER NOT NULL, outcome TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX answers_at ON answers (at);
