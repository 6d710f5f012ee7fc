-- A migration: concurrency keys, limits of queues, schedules, and what prune needs. See sqlite/growthTables.sql.
ALTER TABLE stopgate.tasks ADD COLUMN IF NOT EXISTS concurrency_key text, ADD COLUMN IF NOT EXISTS concurrency_limit integer;
ALTER TABLE stopgate.queues ADD COLUMN IF NOT EXISTS max_claimed integer;

CREATE TABLE IF NOT EXISTS stopgate.schedules (
  id text COLLATE "C" PRIMARY KEY,
  cron text,
  every_ms bigint,
  timezone text,
  task text NOT NULL,
  overlap integer NOT NULL,
  created_at bigint NOT NULL,
  paused_at bigint,
  next_due_at bigint NOT NULL,
  last_due_at bigint,
  last_task_id text,
  fired bigint NOT NULL DEFAULT 0,
  missed bigint NOT NULL DEFAULT 0,
  skipped bigint NOT NULL DEFAULT 0
);

CREATE TABLE IF NOT EXISTS stopgate.settings (name text COLLATE "C" PRIMARY KEY, value text NOT NULL);

CREATE INDEX IF NOT EXISTS dependencies_on ON stopgate.dependencies (depends_on);

-- Events up to this one may be removed, once their task is.
ALTER TABLE stopgate.meta ADD COLUMN IF NOT EXISTS trimmed_xid xid8 NOT NULL DEFAULT '0',
  ADD COLUMN IF NOT EXISTS trimmed_seq bigint NOT NULL DEFAULT 0;
DROP TRIGGER IF EXISTS events_append_only ON stopgate.events;
CREATE TRIGGER events_append_only BEFORE UPDATE OR TRUNCATE ON stopgate.events
  FOR EACH STATEMENT EXECUTE FUNCTION stopgate.refuse_change();
CREATE OR REPLACE FUNCTION stopgate.refuse_removal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.xid, OLD.seq) > (SELECT trimmed_xid, trimmed_seq FROM stopgate.meta)
    OR EXISTS (SELECT 1 FROM stopgate.tasks WHERE seq = OLD.task_seq) THEN
    RAISE EXCEPTION 'events are append-only';
  END IF;
  RETURN OLD;
END $$;
DROP TRIGGER IF EXISTS events_kept ON stopgate.events;
CREATE TRIGGER events_kept BEFORE DELETE ON stopgate.events FOR EACH ROW EXECUTE FUNCTION stopgate.refuse_removal();
