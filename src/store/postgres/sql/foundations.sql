-- The clock, the way to record an event, and the check that the store has not moved.

-- Every time that a decision depends on comes from here; tests replace it with their own clock.
CREATE OR REPLACE FUNCTION stopgate.now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS
  $$ SELECT floor(date_part('epoch', clock_timestamp()) * 1000)::bigint $$;

CREATE OR REPLACE FUNCTION stopgate.record_event(
  p_now bigint, p_kind text, p_data json, p_task bigint DEFAULT NULL, p_attempt text DEFAULT NULL, p_worker text DEFAULT NULL,
  p_epoch bigint DEFAULT NULL, p_actor text DEFAULT NULL
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_xid xid8;
BEGIN
  IF p_task IS NOT NULL THEN
    -- a transaction with a lower number may change this task later, and its event must then come later, too
    UPDATE stopgate.tasks SET told = greatest(told, pg_current_xact_id()) WHERE seq = p_task RETURNING told INTO v_xid;
  END IF;
  INSERT INTO stopgate.events (xid, at, kind, task_seq, attempt_id, worker_id, epoch, actor, data)
    VALUES (coalesce(v_xid, pg_current_xact_id()), p_now, p_kind, p_task, p_attempt, p_worker, p_epoch, p_actor, p_data);
END $$;

CREATE OR REPLACE FUNCTION stopgate.record_event(p_now bigint, p_kind text, p_data json, h stopgate.held) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM stopgate.record_event(p_now, p_kind, p_data, h.task_seq, h.attempt_id, h.worker_id, h.epoch);
END $$;

-- The time of a change, which is refused once the store has moved. The lock keeps a move from starting before the transaction ends.
CREATE OR REPLACE FUNCTION stopgate.admitted_at() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_to text;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtext('stopgate.move'), 0);
  SELECT moved_to INTO v_to FROM stopgate.meta;
  IF v_to IS NOT NULL THEN
    RAISE EXCEPTION USING ERRCODE = 'SG001', MESSAGE = v_to;
  END IF;
  RETURN stopgate.now_ms();
END $$;

-- Wakes processes that wait for work. It may be lost; they also poll.
CREATE OR REPLACE FUNCTION stopgate.hint(p_queue text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('stopgate.work', p_queue);
END $$;

CREATE OR REPLACE FUNCTION stopgate.retry_ms(p_backoff bigint, p_count integer, p_jitter double precision) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
  SELECT floor(least(p_backoff * power(2::double precision, least(greatest(0, p_count - 1), 60)), 900000)
    * (0.5 + p_jitter))::bigint
$$;

CREATE OR REPLACE FUNCTION stopgate.texts(p jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN jsonb_typeof(p) = 'array' THEN ARRAY(SELECT jsonb_array_elements_text(p)) END
$$;
