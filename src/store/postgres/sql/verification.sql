-- A second agent checks what was completed.

CREATE OR REPLACE FUNCTION stopgate.take_verification(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.admitted_at();
  v_until bigint := v_now + (p->>'ttlMs')::bigint;
  v_task stopgate.tasks;
  v_attempt stopgate.attempts;
BEGIN
  WITH next AS MATERIALIZED (
    SELECT t.seq FROM stopgate.apart a JOIN stopgate.tasks t ON t.seq = a.task_seq
      WHERE a.place = 'verifying' AND t.state = 'verifying' AND (t.verify_until IS NULL OR t.verify_until <= v_now)
      AND (p->>'queue' IS NULL OR t.queue = p->>'queue') AND (p->>'taskId' IS NULL OR t.id = p->>'taskId')
      ORDER BY a.task_seq LIMIT 1 FOR NO KEY UPDATE OF t SKIP LOCKED)
  UPDATE stopgate.tasks t SET verify_epoch = t.verify_epoch + 1, verify_holder = p->>'holder', verify_until = v_until,
    updated_at = v_now FROM next WHERE t.seq = next.seq RETURNING t.* INTO v_task;
  IF NOT FOUND THEN
    RETURN json_build_object('type', 'empty');
  END IF;
  SELECT * INTO v_attempt FROM stopgate.attempts WHERE id = v_task.attempt_id;
  PERFORM stopgate.record_event(v_now, 'verification.taken',
    json_build_object('verifyEpoch', v_task.verify_epoch),
    p_task => v_task.seq, p_attempt => v_attempt.id, p_epoch => v_attempt.epoch, p_actor => p->>'holder');
  RETURN json_build_object('type', 'taken', 'task', stopgate.task_view(v_task, v_now),
    'attempt', stopgate.attempt_view(v_attempt, v_task.id), 'verifyEpoch', v_task.verify_epoch, 'untilAt', v_until);
END $$;

-- The verifier still works on it. Also after its time, as long as no other one has taken it.
CREATE OR REPLACE FUNCTION stopgate.renew_verification(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_until bigint := stopgate.admitted_at() + (p->>'ttlMs')::bigint;
  v_attempt text;
BEGIN
  UPDATE stopgate.tasks SET verify_until = v_until WHERE id = p->>'taskId' AND verify_epoch = (p->>'verifyEpoch')::bigint
    AND state = 'verifying' AND verify_holder IS NOT NULL RETURNING attempt_id INTO v_attempt;
  IF NOT FOUND THEN
    RETURN json_build_object('type', 'superseded');
  END IF;
  UPDATE stopgate.attempts SET details = details || (p->'details') WHERE id = v_attempt AND p ? 'details';
  RETURN json_build_object('type', 'renewed', 'untilAt', v_until);
END $$;

CREATE OR REPLACE FUNCTION stopgate.settle_verification(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.admitted_at();
  v_task stopgate.tasks;
  v_reply json;
BEGIN
  SELECT * INTO v_task FROM stopgate.tasks WHERE id = p->>'taskId' FOR NO KEY UPDATE;
  IF NOT FOUND OR v_task.verify_epoch <> (p->>'verifyEpoch')::bigint THEN
    RETURN json_build_object('type', 'superseded');
  END IF;
  IF v_task.verify_reply IS NOT NULL THEN
    RETURN v_task.verify_reply;
  END IF;
  IF v_task.state <> 'verifying' THEN
    RETURN json_build_object('type', 'superseded');
  END IF;
  -- what the verifier found stays with the attempt; the next one reads it
  UPDATE stopgate.attempts SET checkpoint = coalesce(p->>'notes', checkpoint),
    checkpoint_at = CASE WHEN p->>'notes' IS NULL THEN checkpoint_at ELSE v_now END,
    details = details || coalesce(p->'details', '{}') WHERE id = v_task.attempt_id AND (p ? 'notes' OR p ? 'details');
  IF p->>'verdict' = 'pass' THEN
    v_reply := stopgate.pass_verification(v_task, p->>'reason', v_now);
  ELSE
    v_reply := stopgate.reject_verification(v_task, p, v_now);
  END IF;
  UPDATE stopgate.tasks SET verify_reply = v_reply WHERE seq = v_task.seq;
  RETURN v_reply;
END $$;

CREATE OR REPLACE FUNCTION stopgate.pass_verification(t stopgate.tasks, p_reason text, p_now bigint) RETURNS json
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE stopgate.tasks SET state = 'done', live_key = NULL, verify_holder = NULL, verify_until = NULL,
    updated_at = p_now WHERE seq = t.seq;
  PERFORM stopgate.put(t.seq);
  PERFORM stopgate.record_event(p_now, 'task.verified',
    json_build_object('state', 'done', 'reason', p_reason),
    p_task => t.seq, p_attempt => t.attempt_id, p_epoch => t.epoch, p_actor => t.verify_holder);
  PERFORM stopgate.await_review(t.seq, t.epoch, p_now);
  PERFORM stopgate.meet_dependants(p_now, t.seq);
  RETURN json_build_object('type', 'done');
END $$;

CREATE OR REPLACE FUNCTION stopgate.reject_verification(t stopgate.tasks, p jsonb, p_now bigint) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  h stopgate.held := stopgate.held_by(t.attempt_id);
  v_run_at bigint := p_now + stopgate.retry_ms(h.backoff_ms, h.failures + 1, (p->>'jitter')::double precision);
  v_state text := stopgate.put_back(h, p_now, 'failures', v_run_at, p->>'reason');
BEGIN
  UPDATE stopgate.attempts SET state = 'failed', outcome = 'rejected', counts_as_failure = 1, error = p->>'reason'
    WHERE task_seq = h.task_seq AND epoch = h.epoch;
  PERFORM stopgate.record_event(p_now, 'task.rejected',
    json_build_object('state', v_state, 'runAt', v_run_at, 'failures', h.failures + 1, 'attemptState', 'failed',
      'reason', p->>'reason'),
    p_task => h.task_seq, p_attempt => h.attempt_id, p_epoch => h.epoch, p_actor => t.verify_holder);
  IF p->>'hold' IS NOT NULL AND v_state = 'queued' THEN
    UPDATE stopgate.tasks SET hold_reason = p->>'hold' WHERE seq = h.task_seq;
    PERFORM stopgate.put(h.task_seq);
    PERFORM stopgate.record_event(p_now, 'task.held',
      json_build_object('holdReason', p->>'hold'), p_task => h.task_seq, p_actor => t.verify_holder);
  END IF;
  PERFORM stopgate.end_dependants(h, p_now, v_state);
  RETURN stopgate.requeued(v_state, v_run_at);
END $$;
