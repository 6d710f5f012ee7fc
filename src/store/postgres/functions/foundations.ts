/** The one clock, the one way to tell an event, and what the old store says after a move. */
export const foundations = `
-- every moment that is decided by comes from here; a test puts its own clock in its place
CREATE FUNCTION stopgate.now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS
  $$ SELECT floor(date_part('epoch', clock_timestamp()) * 1000)::bigint $$;

CREATE FUNCTION stopgate.tell(
  p_now bigint, p_kind text, p_task bigint, p_attempt text, p_worker text, p_epoch bigint, p_actor text, p_data json
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_xid xid8;
BEGIN
  IF p_task IS NOT NULL THEN
    -- a transaction that was numbered first may do last what it does to this task, and must be told last
    UPDATE stopgate.tasks SET told = greatest(told, pg_current_xact_id()) WHERE seq = p_task RETURNING told INTO v_xid;
  END IF;
  INSERT INTO stopgate.events (xid, at, kind, task_seq, attempt_id, worker_id, epoch, actor, data)
    VALUES (coalesce(v_xid, pg_current_xact_id()), p_now, p_kind, p_task, p_attempt, p_worker, p_epoch, p_actor, p_data);
END $$;

-- the lock keeps a move from beginning between this look and the end of the transaction
CREATE FUNCTION stopgate.admit() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_to text;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtext('stopgate.move'), 0);
  SELECT moved_to INTO v_to FROM stopgate.meta;
  IF v_to IS NOT NULL THEN
    RAISE EXCEPTION USING ERRCODE = 'SG001', MESSAGE = v_to;
  END IF;
END $$;

-- a hint for whoever waits; polling is behind it
CREATE FUNCTION stopgate.hint(p_queue text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('stopgate.work', p_queue);
END $$;

CREATE FUNCTION stopgate.retry_ms(p_backoff bigint, p_count integer, p_jitter double precision) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
  SELECT floor(least(p_backoff * power(2::double precision, least(greatest(0, p_count - 1), 60)), 900000)
    * (0.5 + p_jitter))::bigint
$$;
`;
