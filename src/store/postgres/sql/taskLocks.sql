-- Locks on tasks, and their rows in `ready` and `apart`. A claim locks the row of `ready` and then the task, so every function that
-- changes a task that may be ready locks the two in that order. Claims skip the task meanwhile.

-- In order of seq; unknown ids are ignored.
CREATE OR REPLACE FUNCTION stopgate.lock_tasks(p_ids text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM stopgate.ready WHERE task_seq = ANY (ARRAY(SELECT seq FROM stopgate.tasks WHERE id = ANY (p_ids)))
    ORDER BY task_seq FOR UPDATE;
  PERFORM 1 FROM stopgate.tasks WHERE id = ANY (p_ids) ORDER BY seq FOR NO KEY UPDATE;
END $$;

CREATE OR REPLACE FUNCTION stopgate.lock_task(p_id text) RETURNS stopgate.tasks LANGUAGE plpgsql AS $$
DECLARE
  v_task stopgate.tasks;
BEGIN
  PERFORM 1 FROM stopgate.ready WHERE task_seq = (SELECT seq FROM stopgate.tasks WHERE id = p_id) FOR UPDATE;
  SELECT * INTO v_task FROM stopgate.tasks WHERE id = p_id FOR NO KEY UPDATE;
  RETURN v_task;
END $$;

-- The caller has locked the task.
CREATE OR REPLACE FUNCTION stopgate.withdraw(p_task bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM stopgate.ready WHERE ctid = (SELECT ctid FROM stopgate.ready WHERE task_seq = p_task FOR UPDATE SKIP LOCKED);
  IF NOT FOUND AND EXISTS (SELECT 1 FROM stopgate.ready WHERE task_seq = p_task) THEN
    -- it became ready while this waited for the task, and the transaction that claims it now waits for this one
    RAISE EXCEPTION USING ERRCODE = 'SG003';
  END IF;
END $$;

-- Called after each change of a column that `place_of` or the order of claims depends on. The caller has locked the task.
CREATE OR REPLACE FUNCTION stopgate.put(p_task bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_lane text;
BEGIN
  PERFORM stopgate.withdraw(p_task);
  DELETE FROM stopgate.apart WHERE task_seq = p_task;
  INSERT INTO stopgate.ready SELECT seq, stopgate.lane_of(queue, concurrency_key), type, priority, run_at FROM stopgate.tasks
    WHERE seq = p_task AND stopgate.place_of(state, unmet, hold_reason) = 'ready' RETURNING queue INTO v_lane;
  IF FOUND THEN
    IF strpos(v_lane, chr(1)) > 0 THEN
      PERFORM stopgate.note_lanes(split_part(v_lane, chr(1), 1));
    END IF;
  ELSE
    INSERT INTO stopgate.apart SELECT seq, stopgate.place_of(state, unmet, hold_reason), queue, hold_reason IS NOT NULL
      FROM stopgate.tasks WHERE seq = p_task AND stopgate.place_of(state, unmet, hold_reason) IS NOT NULL;
  END IF;
END $$;

-- Takes the first of these out of `ready`; null if there is none. SKIP LOCKED: a second worker takes the next task instead of
-- waiting.
CREATE OR REPLACE FUNCTION stopgate.pull(p_queue text, p_type text, p_priority integer, p_now bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_task bigint;
BEGIN
  IF p_type IS NULL THEN
    DELETE FROM stopgate.ready WHERE ctid = (SELECT r.ctid FROM stopgate.ready r
      WHERE r.queue = p_queue AND r.priority = p_priority AND r.run_at <= p_now
      ORDER BY r.run_at, r.task_seq LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING task_seq INTO v_task;
  ELSE
    DELETE FROM stopgate.ready WHERE ctid = (SELECT r.ctid FROM stopgate.ready r
      WHERE r.queue = p_queue AND r.type = p_type AND r.priority = p_priority AND r.run_at <= p_now
      ORDER BY r.run_at, r.task_seq LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING task_seq INTO v_task;
  END IF;
  RETURN v_task;
END $$;

CREATE OR REPLACE FUNCTION stopgate.place_of(p_state text, p_unmet bigint, p_hold_reason text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_state = 'queued' AND p_unmet = 0 AND p_hold_reason IS NULL THEN 'ready'
    WHEN p_state = 'queued' THEN 'waiting' WHEN p_state IN ('verifying', 'dead', 'cancelled') THEN p_state END
$$;

CREATE OR REPLACE FUNCTION stopgate.live_key_of(p_state text, p_dedupe_key text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_state NOT IN ('done', 'dead', 'cancelled') THEN p_dedupe_key END
$$;
