-- What every settlement is decided by and done with. Locks are always taken in the order worker, task, attempt.

-- Locks the task of an attempt; the caller already has the worker's lock.
CREATE OR REPLACE FUNCTION stopgate.held_by(p_attempt text) RETURNS stopgate.held LANGUAGE plpgsql AS $$
DECLARE
  v_held stopgate.held;
BEGIN
  PERFORM 1 FROM stopgate.tasks WHERE seq = (SELECT task_seq FROM stopgate.attempts WHERE id = p_attempt)
    FOR NO KEY UPDATE;
  SELECT a.task_seq, t.id, t.queue, a.epoch, a.id, a.worker_id, a.state, a.outcome, a.settled_by, a.reply, a.late_result,
    a.deadline_at, a.extended_ms, t.state, t.epoch, t.run_at, t.failures, t.max_failures, t.reclaims, t.max_reclaims,
    t.releases, t.max_releases, t.backoff_ms, t.time_budget_ms, t.verify,
    (SELECT w.suspect_at FROM stopgate.workers w WHERE w.id = a.worker_id AND w.attempt_id = a.id), a.incarnation
    INTO v_held FROM stopgate.attempts a JOIN stopgate.tasks t ON t.seq = a.task_seq WHERE a.id = p_attempt;
  RETURN v_held;
END $$;

-- What a lease names, if every part of the lease is right.
CREATE OR REPLACE FUNCTION stopgate.held_by_lease(p_lease jsonb) RETURNS stopgate.held LANGUAGE plpgsql AS $$
DECLARE
  v_held stopgate.held;
BEGIN
  PERFORM 1 FROM stopgate.workers WHERE id = p_lease->>'workerId' FOR NO KEY UPDATE;
  v_held := stopgate.held_by(p_lease->>'attemptId');
  IF v_held.task_id = p_lease->>'taskId' AND v_held.epoch = (p_lease->>'epoch')::bigint
    AND v_held.worker_id = p_lease->>'workerId' AND v_held.incarnation = (p_lease->>'incarnation')::bigint THEN
    RETURN v_held;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION stopgate.is_held(h stopgate.held) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT h.state IN ('active', 'offered') AND h.task_state = 'claimed' AND h.epoch = h.task_epoch
$$;

CREATE OR REPLACE FUNCTION stopgate.was_given_up(h stopgate.held) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT stopgate.ended_by_others(h) AND h.task_state = 'queued' AND h.epoch = h.task_epoch
$$;

CREATE OR REPLACE FUNCTION stopgate.lease_lost(h stopgate.held) RETURNS json LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN h.attempt_id IS NULL THEN json_build_object('type', 'unknownAttempt')
    WHEN h.state = 'cancelled' THEN json_build_object('type', 'cancelled')
    WHEN stopgate.ended_by_others(h) OR h.state IN ('active', 'offered')
      THEN json_build_object('type', 'superseded', 'epoch', h.task_epoch, 'taskState', h.task_state)
    ELSE json_build_object('type', 'settled', 'state', h.state) END
$$;

CREATE OR REPLACE FUNCTION stopgate.ended_by_others(h stopgate.held) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT h.state IN ('lost', 'superseded') OR coalesce(h.outcome = 'offer_expired', false)
$$;

-- Closes an attempt and frees its worker. p_by is the operation if the worker itself ended it, else null.
CREATE OR REPLACE FUNCTION stopgate.end_attempt(
  h stopgate.held, p_now bigint, p_state text, p_outcome text, p_by text, p_reply json,
  p_failure boolean DEFAULT false, p_result text DEFAULT NULL, p_error text DEFAULT NULL,
  p_checkpoint text DEFAULT NULL, p_details jsonb DEFAULT NULL
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE stopgate.attempts SET state = p_state, outcome = p_outcome, ended_at = p_now,
    counts_as_failure = p_failure::integer, result = p_result, error = p_error,
    checkpoint = coalesce(p_checkpoint, checkpoint),
    checkpoint_at = CASE WHEN p_checkpoint IS NULL THEN checkpoint_at ELSE p_now END,
    details = details || coalesce(p_details, '{}'), settled_by = p_by, reply = p_reply
    WHERE task_seq = h.task_seq AND epoch = h.epoch;
  IF h.state = 'offered' THEN
    PERFORM stopgate.clear('offer', h.attempt_id);
  END IF;
  UPDATE stopgate.workers SET attempt_id = NULL, tool_started_at = NULL, last_settled_at = p_now,
    heartbeat_at = CASE WHEN p_by IS NULL THEN heartbeat_at ELSE p_now END,
    suspect_at = CASE WHEN p_by IS NULL THEN suspect_at END
    WHERE id = h.worker_id AND attempt_id = h.attempt_id;
  IF p_by IS NOT NULL AND h.suspect_at IS NOT NULL THEN
    PERFORM stopgate.record_event(p_now, 'worker.recovered', '{"suspectAt":null}', p_worker => h.worker_id);
  END IF;
END $$;

CREATE OR REPLACE FUNCTION stopgate.clear(p_kind text, p_key text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM stopgate.obstacles WHERE kind = p_kind AND key = p_key;
END $$;

-- Why a task went back the last time; the same as in releaseCounts.ts. The others never end a task.
CREATE OR REPLACE FUNCTION stopgate.last_release(p_reason text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE p_reason WHEN 'abandoned' THEN 'its holder abandoned it' WHEN 'continued' THEN 'its agent ended with work left'
    WHEN 'timed_out' THEN 'its time limit had passed' WHEN 'offer_expired' THEN 'no worker accepted it in time'
    ELSE 'its holder gave it back' END
$$;

-- Puts a task back into the queue, or makes it dead when its limit is reached or a budget is used up. Returns its new state.
CREATE OR REPLACE FUNCTION stopgate.put_back(
  h stopgate.held, p_now bigint, p_counted text, p_run_at bigint, p_error text DEFAULT NULL, p_final boolean DEFAULT false,
  p_reason text DEFAULT 'released', p_details jsonb DEFAULT NULL
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_failures integer := h.failures + (p_counted = 'failures')::integer;
  v_reclaims integer := h.reclaims + (p_counted = 'reclaims')::integer;
  v_releases integer := h.releases + (p_counted = 'releases')::integer;
  v_used_up text := stopgate.over_budget(h, p_now, p_counted = 'reclaims', p_details);
  v_state text := CASE WHEN p_final OR v_used_up IS NOT NULL
    OR (p_counted = 'failures' AND v_failures >= h.max_failures)
    OR (p_counted = 'reclaims' AND v_reclaims >= h.max_reclaims)
    OR (p_counted = 'releases' AND v_releases >= h.max_releases) THEN 'dead' ELSE 'queued' END;
  v_error text := coalesce(p_error, CASE WHEN p_counted = 'releases' AND v_releases >= h.max_releases
    THEN format('It was started and given back %s times without being settled; the last time, %s.', v_releases,
      stopgate.last_release(p_reason)) END);
BEGIN
  IF v_used_up IS NOT NULL THEN
    v_error := concat_ws(E'\n', v_used_up, v_error);
  END IF;
  UPDATE stopgate.tasks SET state = v_state, live_key = stopgate.live_key_of(v_state, dedupe_key), run_at = p_run_at,
    failures = v_failures, reclaims = v_reclaims, releases = v_releases, last_error = coalesce(v_error, last_error),
    verify_holder = NULL, verify_until = NULL, updated_at = p_now WHERE seq = h.task_seq AND epoch = h.epoch;
  PERFORM stopgate.put(h.task_seq);
  PERFORM stopgate.hint_limited(h.task_seq);
  IF v_state = 'queued' THEN
    PERFORM stopgate.hint(h.queue);
  END IF;
  RETURN v_state;
END $$;

CREATE OR REPLACE FUNCTION stopgate.requeued(p_state text, p_run_at bigint) RETURNS json LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE p_state WHEN 'dead' THEN json_build_object('type', 'dead')
    ELSE json_build_object('type', 'requeued', 'runAt', p_run_at) END
$$;
