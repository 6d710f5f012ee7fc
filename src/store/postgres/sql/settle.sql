-- What a worker does with the task it holds: acknowledge, complete, fail, release, extend, heartbeat.
-- The same functions in the same order as sqlite/operations/settle.ts.

-- The worker has received what it was offered; its time starts now.
CREATE OR REPLACE FUNCTION stopgate.acknowledge(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.admitted_at();
  h stopgate.held := stopgate.held_by_lease(p->'lease');
BEGIN
  IF stopgate.is_held(h) IS NOT TRUE THEN
    RETURN stopgate.lease_lost(h);
  END IF;
  IF h.state = 'active' THEN
    RETURN json_build_object('type', 'acknowledged');
  END IF;
  UPDATE stopgate.attempts SET state = 'active', started_at = v_now, 
    deadline_at = v_now + (SELECT stopgate.time_limit(t) FROM stopgate.tasks t WHERE t.seq = h.task_seq)
    WHERE task_seq = h.task_seq AND epoch = h.epoch;
  PERFORM stopgate.clear('offer', h.attempt_id);
  PERFORM stopgate.record_event(v_now, 'task.acknowledged', '{"attemptState":"active"}', h);
  RETURN json_build_object('type', 'acknowledged');
END $$;

-- Settles a task and, if the request says so, claims the next one.
CREATE OR REPLACE FUNCTION stopgate.complete(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_reply json := stopgate.settle(p);
  v_next json;
BEGIN
  IF NOT p ? 'next' OR v_reply->>'type' <> 'accepted' THEN
    RETURN v_reply;
  END IF;
  v_next := stopgate.claim(p->'next' || jsonb_build_object(
    'workerId', p->'lease'->'workerId', 'incarnation', p->'lease'->'incarnation'));
  RETURN json_build_object('type', 'accepted', 'taskState', v_reply->'taskState', 'late', v_reply->'late', 'next', v_next);
END $$;

-- Accepts a result once: from the latest epoch, also after it was given up, if no worker has claimed the task since.
CREATE OR REPLACE FUNCTION stopgate.settle(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.admitted_at();
  h stopgate.held := stopgate.held_by_lease(p->'lease');
BEGIN
  IF h.attempt_id IS NULL THEN
    RETURN json_build_object('type', 'unknownAttempt');
  END IF;
  IF h.settled_by = 'complete' THEN
    RETURN h.reply;
  END IF;
  IF stopgate.is_held(h) THEN
    RETURN stopgate.accept(h, p, v_now, false);
  END IF;
  IF stopgate.was_given_up(h) THEN
    RETURN stopgate.accept(h, p, v_now, true);
  END IF;
  RETURN stopgate.keep_late(h, v_now, p);
END $$;

CREATE OR REPLACE FUNCTION stopgate.accept(h stopgate.held, p jsonb, p_now bigint, p_late boolean) RETURNS json
LANGUAGE plpgsql AS $$
DECLARE
  -- the task decides whether it is verified, and where it names nothing, the attempt
  v_verify text := coalesce(h.verify, p->'details'->>'verify', (SELECT a.details->>'verify' FROM stopgate.attempts a
    WHERE a.task_seq = h.task_seq AND a.epoch = h.epoch), '');
  v_state text := CASE WHEN v_verify = '' THEN 'done' ELSE 'verifying' END;
  v_reply json := json_build_object('type', 'accepted', 'taskState', v_state, 'late', p_late);
  -- a late result takes back what giving the task up had counted
  v_reclaims integer := h.reclaims - (h.state = 'lost')::integer;
  v_releases integer := h.releases - (p_late AND h.state = 'released')::integer;
  v_change jsonb := jsonb_build_object('state', v_state, 'attemptState', 'succeeded', 'late', p_late);
BEGIN
  PERFORM stopgate.end_attempt(h, p_now, 'succeeded', CASE WHEN p_late THEN 'completed_late' ELSE 'completed' END,
    'complete', v_reply, p_result => p->>'result', p_details => p->'details');
  IF p_late THEN
    v_change := v_change || jsonb_build_object('reclaims', v_reclaims, 'releases', v_releases);
  END IF;
  PERFORM stopgate.record_event(p_now, 'task.completed', v_change::json, h);
  UPDATE stopgate.tasks SET state = v_state, live_key = stopgate.live_key_of(v_state, dedupe_key), attempt_id = h.attempt_id,
    reclaims = v_reclaims, releases = v_releases, last_error = NULL, verify_reply = NULL, verify_epoch = verify_epoch + 1,
    verify_holder = NULL, verify_until = NULL, updated_at = p_now WHERE seq = h.task_seq AND epoch = h.epoch;
  -- a task that was held has no row in `ready` or `apart`
  IF p_late OR v_state = 'verifying' THEN
    PERFORM stopgate.put(h.task_seq);
  END IF;
  IF v_state = 'done' THEN
    PERFORM stopgate.await_review(h.task_seq, h.epoch, p_now);
    PERFORM stopgate.meet_dependants(p_now, h.task_seq);
  END IF;
  RETURN v_reply;
END $$;

-- A result that comes too late is refused and kept: the work may be worth more than the record of it.
CREATE OR REPLACE FUNCTION stopgate.keep_late(h stopgate.held, p_now bigint, p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_reply json := stopgate.too_late(h, p_now, p->'details');
  v_state text := CASE WHEN v_reply->>'type' = 'superseded' THEN 'superseded' ELSE h.state END;
BEGIN
  IF h.late_result IS NULL THEN
    UPDATE stopgate.attempts SET late_result = p->>'result', state = v_state, settled_by = coalesce(settled_by, 'complete'),
      reply = coalesce(reply, v_reply::text) WHERE task_seq = h.task_seq AND epoch = h.epoch;
    PERFORM stopgate.record_event(p_now, 'task.late', json_build_object('attemptState', v_state), h);
  END IF;
  RETURN v_reply;
END $$;

-- What an attempt spent counts, whatever becomes of what it did.
CREATE OR REPLACE FUNCTION stopgate.too_late(h stopgate.held, p_now bigint, p_details jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_spent jsonb := jsonb_strip_nulls(jsonb_build_object('tokens', p_details->'tokens', 'costUsd', p_details->'costUsd'));
BEGIN
  IF EXISTS (SELECT 1 FROM stopgate.attempts a WHERE a.task_seq = h.task_seq AND a.epoch = h.epoch AND NOT a.details @> v_spent) THEN
    PERFORM stopgate.keep_notes(h, p_now, NULL, v_spent);
  END IF;
  RETURN stopgate.lease_lost(h);
END $$;

-- Counts a failure and puts the task back for later, or ends it.
CREATE OR REPLACE FUNCTION stopgate.fail(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.admitted_at();
  h stopgate.held := stopgate.held_by_lease(p->'lease');
  v_reason text := coalesce(p->>'reason', 'failed');
  v_run_at bigint;
  v_state text;
  v_reply json;
BEGIN
  IF h.settled_by = 'fail' THEN
    RETURN h.reply;
  END IF;
  IF stopgate.is_held(h) IS NOT TRUE THEN
    RETURN stopgate.too_late(h, v_now, p->'details');
  END IF;
  v_run_at := v_now + coalesce((p->>'retryAfterMs')::bigint,
    stopgate.retry_ms(h.backoff_ms, h.failures + 1, (p->>'jitter')::double precision));
  v_state := stopgate.put_back(h, v_now, 'failures', v_run_at, p->>'error', coalesce((p->>'final')::boolean, false),
    p_details => p->'details');
  v_reply := stopgate.requeued(v_state, v_run_at);
  PERFORM stopgate.end_attempt(h, v_now, v_reason, v_reason, 'fail', v_reply, true, p_error => p->>'error',
    p_details => p->'details');
  PERFORM stopgate.record_event(v_now, 'task.failed',
    json_build_object('state', v_state, 'runAt', v_run_at, 'failures', h.failures + 1, 'attemptState', v_reason), h);
  PERFORM stopgate.end_dependants(h, v_now, v_state);
  RETURN v_reply;
END $$;

-- Gives a task back that did not fail. It goes behind what has waited as long; what counts is limited, and waits longer each time.
CREATE OR REPLACE FUNCTION stopgate.release(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.admitted_at();
  h stopgate.held := stopgate.held_by_lease(p->'lease');
  v_reason text := p->>'reason';
  v_run_at bigint := v_now + coalesce((p->>'delayMs')::bigint, 0);
  -- the same as UNCOUNTED_RELEASES
  v_counted text := CASE WHEN v_reason IN ('rate_limited', 'unserved', 'drained') THEN 'nothing' ELSE 'releases' END;
  v_attempt_state text := CASE WHEN v_reason IN ('rate_limited', 'timed_out') THEN v_reason ELSE 'released' END;
  v_state text;
  v_reply json;
BEGIN
  IF h.settled_by = 'release' THEN
    RETURN h.reply;
  END IF;
  IF stopgate.is_held(h) IS NOT TRUE THEN
    RETURN stopgate.too_late(h, v_now, p->'details');
  END IF;
  IF v_counted = 'releases' AND coalesce((p->>'backoff')::boolean, true) THEN
    v_run_at := greatest(v_run_at, v_now + stopgate.retry_ms(h.backoff_ms, h.releases + 1, (p->>'jitter')::double precision));
  END IF;
  v_state := stopgate.put_back(h, v_now, v_counted, v_run_at, p_reason => v_reason, p_details => p->'details');
  v_reply := stopgate.requeued(v_state, v_run_at);
  PERFORM stopgate.end_attempt(h, v_now, v_attempt_state, v_reason, 'release', v_reply, p_checkpoint => p->>'checkpoint',
    p_details => p->'details');
  PERFORM stopgate.record_event(v_now, 'task.released',
    json_build_object('state', v_state, 'runAt', v_run_at, 'releases', h.releases + (v_counted = 'releases')::integer,
      'attemptState', v_attempt_state, 'reason', v_reason), h);
  PERFORM stopgate.end_dependants(h, v_now, v_state);
  RETURN v_reply;
END $$;

-- More time for an attempt that made progress, once.
CREATE OR REPLACE FUNCTION stopgate.extend(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.admitted_at();
  h stopgate.held := stopgate.held_by_lease(p->'lease');
  v_deadline bigint;
  v_latest bigint;
BEGIN
  IF stopgate.is_held(h) IS NOT TRUE THEN
    RETURN stopgate.lease_lost(h);
  END IF;
  IF h.deadline_at IS NULL THEN
    RETURN stopgate.refused('noDeadline');
  END IF;
  IF h.extended_ms > 0 THEN
    RETURN stopgate.refused('extendedBefore');
  END IF;
  SELECT a.started_at + greatest(0, t.total_time_ms - stopgate.used_ms(t.seq, t.counted_from)) INTO v_latest
    FROM stopgate.tasks t JOIN stopgate.attempts a ON a.task_seq = t.seq AND a.epoch = h.epoch
    WHERE t.seq = h.task_seq AND t.total_time_ms IS NOT NULL;
  IF h.deadline_at >= v_latest THEN
    RETURN stopgate.refused('overBudget');
  END IF;
  v_deadline := least(h.deadline_at + (p->>'byMs')::bigint, v_latest);
  UPDATE stopgate.attempts SET deadline_at = v_deadline, extended_ms = v_deadline - h.deadline_at
    WHERE task_seq = h.task_seq AND epoch = h.epoch;
  PERFORM stopgate.record_event(v_now, 'attempt.extended', json_build_object('deadlineAt', v_deadline), h);
  RETURN json_build_object('type', 'extended', 'deadlineAt', v_deadline);
END $$;

-- Keeps the two clocks of a worker and its notes, and returns what the worker should do.
CREATE OR REPLACE FUNCTION stopgate.heartbeat(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.admitted_at();
  v_worker stopgate.workers;
  v_until bigint;
  h stopgate.held;
BEGIN
  SELECT * INTO v_worker FROM stopgate.workers WHERE id = p->>'workerId' FOR NO KEY UPDATE;
  IF jsonb_typeof(p->'lease') = 'object' THEN
    h := stopgate.held_by_lease(p->'lease');
    -- what it cost, and that it is pushed, may be known only after it was settled and its worker has ended
    IF h.attempt_id IS NOT NULL AND stopgate.is_held(h) IS NOT TRUE THEN
      PERFORM stopgate.keep_notes(h, v_now, NULL, p->'details');
    END IF;
  END IF;
  IF v_worker.id IS NULL OR v_worker.incarnation <> (p->>'incarnation')::bigint OR v_worker.state IN ('stopped', 'lost') THEN
    RETURN json_build_object('type', 'superseded', 'by', 'worker');
  END IF;
  UPDATE stopgate.workers SET heartbeat_at = v_now, suspect_at = NULL,
    activity_at = CASE WHEN p->>'tool' IS NOT NULL OR (p->>'activity')::boolean THEN v_now ELSE activity_at END,
    tool_started_at = CASE p->>'tool' WHEN 'started' THEN v_now WHEN 'ended' THEN NULL ELSE tool_started_at END
    WHERE id = v_worker.id;
  IF v_worker.suspect_at IS NOT NULL THEN
    PERFORM stopgate.record_event(v_now, 'worker.recovered', '{"suspectAt":null}', p_worker => v_worker.id);
  END IF;
  IF jsonb_typeof(p->'lease') = 'object' THEN
    IF h.state = 'cancelled' THEN
      RETURN json_build_object('type', 'cancel');
    END IF;
    IF stopgate.is_held(h) IS NOT TRUE THEN
      RETURN json_build_object('type', 'superseded', 'by', 'task');
    END IF;
    PERFORM stopgate.keep_notes(h, v_now, p->>'checkpoint', p->'details');
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

CREATE OR REPLACE FUNCTION stopgate.keep_notes(h stopgate.held, p_now bigint, p_checkpoint text, p_details jsonb)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF p_checkpoint IS NULL AND p_details IS NULL THEN
    RETURN;
  END IF;
  UPDATE stopgate.attempts SET checkpoint = coalesce(p_checkpoint, checkpoint),
    checkpoint_at = CASE WHEN p_checkpoint IS NULL THEN checkpoint_at ELSE p_now END,
    details = details || coalesce(p_details, '{}') WHERE task_seq = h.task_seq AND epoch = h.epoch;
  PERFORM stopgate.record_event(p_now, 'attempt.checkpoint', json_build_object('checkpoint', p_checkpoint), h);
END $$;
