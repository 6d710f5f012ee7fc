/** What every settlement is decided by and done with. Locks are always taken in the order worker, task, attempt. */
export const holding = `
CREATE TYPE stopgate.held AS (
  task_seq bigint, task_id text, queue text, epoch bigint, attempt_id text, worker_id text, state text, outcome text,
  settled_by text, reply text, late_result text, deadline_at bigint, extended_ms bigint, task_state text,
  task_epoch bigint, run_at bigint, failures integer, max_failures integer, reclaims integer, max_reclaims integer,
  releases integer, max_releases integer, backoff_ms bigint, time_budget_ms bigint, verify text, suspect_at bigint,
  incarnation bigint
);

-- locks the task of an attempt; whoever calls has the worker's lock already
CREATE FUNCTION stopgate.held_by(p_attempt text) RETURNS stopgate.held LANGUAGE plpgsql AS $$
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

-- what a lease names, if every part of it is right
CREATE FUNCTION stopgate.held_by_lease(p_lease jsonb) RETURNS stopgate.held LANGUAGE plpgsql AS $$
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

CREATE FUNCTION stopgate.is_held(h stopgate.held) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT h.state IN ('active', 'offered') AND h.task_state = 'claimed' AND h.epoch = h.task_epoch
$$;

CREATE FUNCTION stopgate.ended_by_others(h stopgate.held) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT h.state IN ('lost', 'superseded') OR coalesce(h.outcome = 'offer_expired', false)
$$;

CREATE FUNCTION stopgate.lease_lost(h stopgate.held) RETURNS json LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN h.attempt_id IS NULL THEN json_build_object('type', 'unknownAttempt')
    WHEN h.state = 'cancelled' THEN json_build_object('type', 'cancelled')
    WHEN stopgate.ended_by_others(h) OR h.state IN ('active', 'offered')
      THEN json_build_object('type', 'superseded', 'epoch', h.task_epoch, 'taskState', h.task_state)
    ELSE json_build_object('type', 'settled', 'state', h.state) END
$$;

CREATE FUNCTION stopgate.clear(p_kind text, p_key text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM stopgate.obstacles WHERE kind = p_kind AND key = p_key;
END $$;

-- closes an attempt and lets its worker go; p_by is the operation of the worker itself, or null
CREATE FUNCTION stopgate.end_attempt(
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
  UPDATE stopgate.workers SET attempt_id = NULL, tool_started_at = NULL, last_settled_at = p_now,
    heartbeat_at = CASE WHEN p_by IS NULL THEN heartbeat_at ELSE p_now END,
    suspect_at = CASE WHEN p_by IS NULL THEN suspect_at END
    WHERE id = h.worker_id AND attempt_id = h.attempt_id;
  IF h.state = 'offered' THEN
    PERFORM stopgate.clear('offer', h.attempt_id);
  END IF;
  IF p_by IS NOT NULL AND h.suspect_at IS NOT NULL THEN
    PERFORM stopgate.tell(p_now, 'worker.recovered', NULL, NULL, h.worker_id, NULL, NULL, '{"suspectAt":null}');
  END IF;
END $$;

CREATE FUNCTION stopgate.meet(p_now bigint, p_task bigint, p_depends_on bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_task stopgate.tasks;
BEGIN
  UPDATE stopgate.tasks SET unmet = unmet - 1, updated_at = p_now WHERE seq = p_task RETURNING * INTO v_task;
  UPDATE stopgate.dependencies SET met = 1 WHERE task_seq = p_task AND depends_on = p_depends_on;
  PERFORM stopgate.tell(p_now, 'task.dependencyMet', p_task, NULL, NULL, NULL, NULL,
    json_build_object('unmetDependencies', v_task.unmet));
  IF v_task.unmet = 0 THEN
    PERFORM stopgate.put(p_task);
    PERFORM stopgate.hint(v_task.queue);
  END IF;
END $$;

CREATE FUNCTION stopgate.meet_dependants(p_now bigint, p_task bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_dependant bigint;
BEGIN
  FOR v_dependant IN
    SELECT task_seq FROM stopgate.dependencies WHERE depends_on = p_task AND met = 0 ORDER BY task_seq
  LOOP
    PERFORM stopgate.meet(p_now, v_dependant, p_task);
  END LOOP;
END $$;

-- the task's row, and its worker's, are locked; a task that waits for others has no attempt
CREATE FUNCTION stopgate.cancel_one(p_now bigint, p_task bigint, p_reason text, p_actor text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_task stopgate.tasks;
  v_held stopgate.held;
BEGIN
  UPDATE stopgate.tasks SET state = 'cancelled', live_key = NULL, verify_holder = NULL, verify_until = NULL, updated_at = p_now
    WHERE seq = p_task RETURNING * INTO v_task;
  PERFORM stopgate.put(p_task);
  IF EXISTS (SELECT 1 FROM stopgate.attempts WHERE id = v_task.attempt_id AND state IN ('active', 'offered')) THEN
    v_held := stopgate.held_by(v_task.attempt_id);
    PERFORM stopgate.end_attempt(v_held, p_now, 'cancelled', 'cancelled', NULL, NULL);
    PERFORM stopgate.tell(p_now, 'task.cancelled', p_task, v_held.attempt_id, v_held.worker_id, v_held.epoch, p_actor,
      json_build_object('state', 'cancelled', 'reason', p_reason, 'attemptState', 'cancelled'));
  ELSE
    PERFORM stopgate.tell(p_now, 'task.cancelled', p_task, NULL, NULL, NULL, p_actor,
      json_build_object('state', 'cancelled', 'reason', p_reason));
  END IF;
END $$;

CREATE FUNCTION stopgate.fail_dependants(p_now bigint, p_task bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_ended bigint[] := ARRAY[p_task];
  v_next bigint;
  v_dependant record;
BEGIN
  WHILE cardinality(v_ended) > 0 LOOP
    v_next := v_ended[1];
    v_ended := v_ended[2:];
    FOR v_dependant IN
      SELECT d.task_seq, d.on_failure FROM stopgate.dependencies d JOIN stopgate.tasks t ON t.seq = d.task_seq
        WHERE d.depends_on = v_next AND d.met = 0 AND t.state = 'queued' ORDER BY d.task_seq
    LOOP
      IF v_dependant.on_failure = 'run' THEN
        PERFORM stopgate.meet(p_now, v_dependant.task_seq, v_next);
      ELSIF v_dependant.on_failure = 'cancel' THEN
        PERFORM stopgate.cancel_one(p_now, v_dependant.task_seq, 'dependency_failed', NULL);
        v_ended := v_ended || v_dependant.task_seq;
      END IF;
    END LOOP;
  END LOOP;
END $$;
`;
