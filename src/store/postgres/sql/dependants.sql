-- What happens to the tasks that wait for another one when that one ends.

CREATE OR REPLACE FUNCTION stopgate.meet(p_now bigint, p_task bigint, p_depends_on bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_task stopgate.tasks;
BEGIN
  UPDATE stopgate.tasks SET unmet = unmet - 1, updated_at = p_now WHERE seq = p_task RETURNING * INTO v_task;
  UPDATE stopgate.dependencies SET met = 1 WHERE task_seq = p_task AND depends_on = p_depends_on;
  PERFORM stopgate.record_event(p_now, 'task.dependencyMet',
    json_build_object('unmetDependencies', v_task.unmet), p_task => p_task);
  IF v_task.unmet = 0 THEN
    PERFORM stopgate.put(p_task);
    PERFORM stopgate.hint(v_task.queue);
  END IF;
END $$;

CREATE OR REPLACE FUNCTION stopgate.meet_dependants(p_now bigint, p_task bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_dependant bigint;
BEGIN
  FOR v_dependant IN
    SELECT task_seq FROM stopgate.dependencies WHERE depends_on = p_task AND met = 0 ORDER BY task_seq
  LOOP
    PERFORM stopgate.meet(p_now, v_dependant, p_task);
  END LOOP;
  PERFORM stopgate.hint_limited(p_task);
END $$;

-- A task that was done is not: its dependants that were never claimed wait for it again. The caller has locked it.
CREATE OR REPLACE FUNCTION stopgate.unmeet_dependants(p_now bigint, p_task bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_id text;
  v_task stopgate.tasks;
BEGIN
  FOR v_id IN
    SELECT t.id FROM stopgate.dependencies d JOIN stopgate.tasks t ON t.seq = d.task_seq
      WHERE d.depends_on = p_task AND d.met = 1 AND t.state = 'queued' AND t.epoch = 0 ORDER BY t.seq
  LOOP
    v_task := stopgate.lock_task(v_id);
    CONTINUE WHEN v_task.state IS DISTINCT FROM 'queued' OR v_task.epoch > 0;
    UPDATE stopgate.dependencies SET met = 0 WHERE task_seq = v_task.seq AND depends_on = p_task;
    UPDATE stopgate.tasks SET unmet = unmet + 1, updated_at = p_now WHERE seq = v_task.seq RETURNING * INTO v_task;
    PERFORM stopgate.put(v_task.seq);
    PERFORM stopgate.record_event(p_now, 'task.dependencyUnmet',
      json_build_object('unmetDependencies', v_task.unmet), p_task => v_task.seq);
  END LOOP;
END $$;

-- The caller has locked the task and its worker. A task that waits for others has no attempt.
CREATE OR REPLACE FUNCTION stopgate.cancel_one(p_now bigint, p_task bigint, p_reason text, p_actor text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_task stopgate.tasks;
  v_held stopgate.held;
BEGIN
  UPDATE stopgate.tasks SET state = 'cancelled', live_key = NULL, verify_holder = NULL, verify_until = NULL, updated_at = p_now
    WHERE seq = p_task RETURNING * INTO v_task;
  PERFORM stopgate.put(p_task);
  PERFORM stopgate.hint_limited(p_task);
  IF EXISTS (SELECT 1 FROM stopgate.attempts WHERE id = v_task.attempt_id AND state IN ('active', 'offered')) THEN
    v_held := stopgate.held_by(v_task.attempt_id);
    PERFORM stopgate.end_attempt(v_held, p_now, 'cancelled', 'cancelled', NULL, NULL);
    PERFORM stopgate.record_event(p_now, 'task.cancelled',
      json_build_object('state', 'cancelled', 'reason', p_reason, 'attemptState', 'cancelled'),
      p_task => p_task, p_attempt => v_held.attempt_id, p_worker => v_held.worker_id, p_epoch => v_held.epoch, p_actor => p_actor);
  ELSE
    PERFORM stopgate.record_event(p_now, 'task.cancelled',
      json_build_object('state', 'cancelled', 'reason', p_reason), p_task => p_task, p_actor => p_actor);
  END IF;
END $$;

CREATE OR REPLACE FUNCTION stopgate.fail_dependants(p_now bigint, p_task bigint) RETURNS void LANGUAGE plpgsql AS $$
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

-- Called after the event of the task itself is recorded, so that causes come before effects.
CREATE OR REPLACE FUNCTION stopgate.end_dependants(h stopgate.held, p_now bigint, p_state text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF p_state = 'dead' THEN
    PERFORM stopgate.fail_dependants(p_now, h.task_seq);
  END IF;
END $$;
