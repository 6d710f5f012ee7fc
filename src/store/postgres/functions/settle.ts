/** Acknowledging, completing, failing, extending, beating; releasing is in `release.ts`. */
export const settle = `
CREATE FUNCTION stopgate.acknowledge(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.now_ms();
  h stopgate.held;
BEGIN
  PERFORM stopgate.admit();
  h := stopgate.held_by_lease(p->'lease');
  IF stopgate.is_held(h) IS NOT TRUE THEN
    RETURN stopgate.lease_lost(h);
  END IF;
  IF h.state = 'offered' THEN
    UPDATE stopgate.attempts SET state = 'active', started_at = v_now, deadline_at = v_now + h.time_budget_ms
      WHERE task_seq = h.task_seq AND epoch = h.epoch;
    PERFORM stopgate.clear('offer', h.attempt_id);
    PERFORM stopgate.tell(v_now, 'task.acknowledged', h.task_seq, h.attempt_id, h.worker_id, h.epoch, NULL,
      '{"attemptState":"active"}');
  END IF;
  RETURN json_build_object('type', 'acknowledged');
END $$;

-- what its worker asked for along with a completion, as a claim of its own
CREATE FUNCTION stopgate.claim_after(p jsonb) RETURNS json LANGUAGE sql VOLATILE AS $$
  SELECT stopgate.claim(jsonb_build_object('workerId', p->'lease'->'workerId', 'incarnation', p->'lease'->'incarnation')
    || (p->'next'))
$$;

CREATE FUNCTION stopgate.with_next(p_reply json, p_next json) RETURNS json LANGUAGE sql IMMUTABLE AS $$
  SELECT json_build_object('type', p_reply->'type', 'taskState', p_reply->'taskState', 'late', p_reply->'late', 'next', p_next)
$$;

CREATE FUNCTION stopgate.complete(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_reply json;
BEGIN
  PERFORM stopgate.admit();
  v_reply := stopgate.settle_done(p);
  IF p ? 'next' AND v_reply->>'type' = 'accepted' THEN
    RETURN stopgate.with_next(v_reply, stopgate.claim_after(p));
  END IF;
  RETURN v_reply;
END $$;

CREATE FUNCTION stopgate.settle_done(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.now_ms();
  h stopgate.held;
  v_late boolean;
  v_state text;
  v_reply json;
BEGIN
  h := stopgate.held_by_lease(p->'lease');
  IF h.attempt_id IS NULL THEN
    RETURN stopgate.lease_lost(h);
  END IF;
  IF h.settled_by = 'complete' THEN
    RETURN h.reply;
  END IF;
  v_late := NOT stopgate.is_held(h);
  IF v_late AND NOT (stopgate.ended_by_others(h) AND h.task_state = 'queued' AND h.epoch = h.task_epoch) THEN
    RETURN stopgate.keep_late(h, v_now, p->>'result');
  END IF;
  v_state := CASE WHEN h.verify IS NULL THEN 'done' ELSE 'verifying' END;
  v_reply := json_build_object('type', 'accepted', 'taskState', v_state, 'late', v_late);
  h.reclaims := h.reclaims - (h.state = 'lost')::integer;
  h.releases := h.releases - (v_late AND h.state = 'released')::integer;
  UPDATE stopgate.tasks SET state = v_state, live_key = stopgate.live_key_of(v_state, dedupe_key), attempt_id = h.attempt_id,
    reclaims = h.reclaims, releases = h.releases, last_error = NULL, verify_reply = NULL, verify_epoch = verify_epoch + 1, verify_holder = NULL, verify_until = NULL,
    updated_at = v_now WHERE seq = h.task_seq AND epoch = h.epoch;
  -- what is held is in no place
  IF v_late OR v_state = 'verifying' THEN
    PERFORM stopgate.put(h.task_seq);
  END IF;
  PERFORM stopgate.end_attempt(h, v_now, 'succeeded', CASE WHEN v_late THEN 'completed_late' ELSE 'completed' END,
    'complete', v_reply, false, p->>'result', NULL, NULL, p->'details');
  PERFORM stopgate.tell(v_now, 'task.completed', h.task_seq, h.attempt_id, h.worker_id, h.epoch, NULL,
    CASE WHEN v_late THEN json_build_object('state', v_state, 'attemptState', 'succeeded', 'reclaims', h.reclaims,
      'releases', h.releases, 'late', true)
      ELSE json_build_object('state', v_state, 'attemptState', 'succeeded', 'late', false) END);
  IF v_state = 'done' THEN
    PERFORM stopgate.meet_dependants(v_now, h.task_seq);
  END IF;
  RETURN v_reply;
END $$;

-- a result that comes too late is refused and kept
CREATE FUNCTION stopgate.keep_late(h stopgate.held, p_now bigint, p_result text) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_reply json := stopgate.lease_lost(h);
  v_state text := CASE WHEN v_reply->>'type' = 'superseded' THEN 'superseded' ELSE h.state END;
BEGIN
  IF h.late_result IS NULL THEN
    UPDATE stopgate.attempts SET late_result = p_result, state = v_state, settled_by = coalesce(settled_by, 'complete'),
      reply = coalesce(reply, v_reply::text) WHERE task_seq = h.task_seq AND epoch = h.epoch;
    PERFORM stopgate.tell(p_now, 'task.late', h.task_seq, h.attempt_id, h.worker_id, h.epoch, NULL,
      json_build_object('attemptState', v_state));
  END IF;
  RETURN v_reply;
END $$;

CREATE FUNCTION stopgate.requeued(p_state text, p_run_at bigint) RETURNS json LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE p_state WHEN 'dead' THEN json_build_object('type', 'dead')
    ELSE json_build_object('type', 'requeued', 'runAt', p_run_at) END
$$;

CREATE FUNCTION stopgate.fail(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.now_ms();
  h stopgate.held;
  v_reason text := coalesce(p->>'reason', 'failed');
  v_run_at bigint;
  v_state text;
  v_reply json;
BEGIN
  PERFORM stopgate.admit();
  h := stopgate.held_by_lease(p->'lease');
  IF h.settled_by = 'fail' THEN
    RETURN h.reply;
  END IF;
  IF stopgate.is_held(h) IS NOT TRUE THEN
    RETURN stopgate.lease_lost(h);
  END IF;
  v_run_at := v_now + coalesce((p->>'retryAfterMs')::bigint,
    stopgate.retry_ms(h.backoff_ms, h.failures + 1, (p->>'jitter')::double precision));
  v_state := stopgate.put_back(h, v_now, 'failures', v_run_at, p->>'error', coalesce((p->>'final')::boolean, false));
  v_reply := stopgate.requeued(v_state, v_run_at);
  PERFORM stopgate.end_attempt(h, v_now, v_reason, v_reason, 'fail', v_reply, true, NULL, p->>'error', NULL, p->'details');
  PERFORM stopgate.tell(v_now, 'task.failed', h.task_seq, h.attempt_id, h.worker_id, h.epoch, NULL,
    json_build_object('state', v_state, 'runAt', v_run_at, 'failures', h.failures + 1, 'attemptState', v_reason));
  IF v_state = 'dead' THEN
    PERFORM stopgate.fail_dependants(v_now, h.task_seq);
  END IF;
  RETURN v_reply;
END $$;

CREATE FUNCTION stopgate.extend(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.now_ms();
  h stopgate.held;
BEGIN
  PERFORM stopgate.admit();
  h := stopgate.held_by_lease(p->'lease');
  IF stopgate.is_held(h) IS NOT TRUE THEN
    RETURN stopgate.lease_lost(h);
  END IF;
  IF h.deadline_at IS NULL THEN
    RETURN stopgate.refused('noDeadline');
  END IF;
  IF h.extended_ms > 0 THEN
    RETURN stopgate.refused('extendedBefore');
  END IF;
  UPDATE stopgate.attempts SET deadline_at = deadline_at + (p->>'byMs')::bigint, extended_ms = (p->>'byMs')::bigint
    WHERE task_seq = h.task_seq AND epoch = h.epoch RETURNING deadline_at INTO h.deadline_at;
  PERFORM stopgate.tell(v_now, 'attempt.extended', h.task_seq, h.attempt_id, h.worker_id, h.epoch, NULL,
    json_build_object('deadlineAt', h.deadline_at));
  RETURN json_build_object('type', 'extended', 'deadlineAt', h.deadline_at);
END $$;

CREATE FUNCTION stopgate.heartbeat(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.now_ms();
  v_worker stopgate.workers;
  v_until bigint;
  h stopgate.held;
BEGIN
  PERFORM stopgate.admit();
  SELECT * INTO v_worker FROM stopgate.workers WHERE id = p->>'workerId' FOR NO KEY UPDATE;
  IF NOT FOUND OR v_worker.incarnation <> (p->>'incarnation')::bigint OR v_worker.state IN ('stopped', 'lost') THEN
    RETURN json_build_object('type', 'superseded', 'by', 'worker');
  END IF;
  UPDATE stopgate.workers SET heartbeat_at = v_now, suspect_at = NULL,
    activity_at = CASE WHEN p->>'tool' IS NOT NULL OR (p->>'activity')::boolean THEN v_now ELSE activity_at END,
    tool_started_at = CASE p->>'tool' WHEN 'started' THEN v_now WHEN 'ended' THEN NULL ELSE tool_started_at END
    WHERE id = v_worker.id;
  IF v_worker.suspect_at IS NOT NULL THEN
    PERFORM stopgate.tell(v_now, 'worker.recovered', NULL, NULL, v_worker.id, NULL, NULL, '{"suspectAt":null}');
  END IF;
  IF jsonb_typeof(p->'lease') = 'object' THEN
    h := stopgate.held_by_lease(p->'lease');
    IF h.state = 'cancelled' THEN
      RETURN json_build_object('type', 'cancel');
    END IF;
    IF stopgate.is_held(h) IS NOT TRUE THEN
      RETURN json_build_object('type', 'superseded', 'by', 'task');
    END IF;
    IF p->>'checkpoint' IS NOT NULL OR p->'details' IS NOT NULL THEN
      UPDATE stopgate.attempts SET checkpoint = coalesce(p->>'checkpoint', checkpoint),
        checkpoint_at = CASE WHEN p->>'checkpoint' IS NULL THEN checkpoint_at ELSE v_now END,
        details = details || coalesce(p->'details', '{}') WHERE task_seq = h.task_seq AND epoch = h.epoch;
      PERFORM stopgate.tell(v_now, 'attempt.checkpoint', h.task_seq, h.attempt_id, h.worker_id, h.epoch, NULL,
        json_build_object('checkpoint', p->>'checkpoint'));
    END IF;
  END IF;
  IF v_worker.state = 'draining' THEN
    RETURN json_build_object('type', 'drain');
  END IF;
  SELECT paused_until INTO v_until FROM stopgate.accounts WHERE key = v_worker.account_key;
  IF v_until > v_now THEN
    RETURN json_build_object('type', 'pausedUntil', 'untilAt', v_until);
  END IF;
  RETURN json_build_object('type', 'ok', 'deadlineAt', h.deadline_at);
END $$;
`;
