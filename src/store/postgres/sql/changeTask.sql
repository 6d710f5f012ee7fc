-- What a person does to a task or a queue.

-- The outcome for a task that stays as it is: there is none, it is that way already, or its state does not allow the change.
CREATE OR REPLACE FUNCTION stopgate.not_changed(t stopgate.tasks, p_already boolean) RETURNS json LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN t.seq IS NULL THEN json_build_object('type', 'unknownTask')
    WHEN p_already THEN json_build_object('type', 'unchanged', 'state', t.state)
    ELSE json_build_object('type', 'refused', 'reason', 'state', 'state', t.state) END
$$;

-- Locks the worker before the task. If the task was claimed in between, the order would be wrong, so the caller starts again.
CREATE OR REPLACE FUNCTION stopgate.lock_with_worker(p_id text) RETURNS stopgate.tasks LANGUAGE plpgsql AS $$
DECLARE
  v_before text;
  v_task stopgate.tasks;
BEGIN
  SELECT attempt_id INTO v_before FROM stopgate.tasks WHERE id = p_id;
  PERFORM 1 FROM stopgate.workers WHERE id = (SELECT worker_id FROM stopgate.attempts WHERE id = v_before)
    FOR NO KEY UPDATE;
  v_task := stopgate.lock_task(p_id);
  IF v_task.attempt_id IS DISTINCT FROM v_before THEN
    RAISE EXCEPTION USING ERRCODE = 'SG003';
  END IF;
  RETURN v_task;
END $$;

CREATE OR REPLACE FUNCTION stopgate.cancel(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.admitted_at();
  v_task stopgate.tasks := stopgate.lock_with_worker(p->>'taskId');
BEGIN
  IF v_task.seq IS NULL OR v_task.state IN ('cancelled', 'done', 'dead') THEN
    RETURN stopgate.not_changed(v_task, v_task.state = 'cancelled');
  END IF;
  PERFORM stopgate.cancel_one(v_now, v_task.seq, p->>'reason', p->>'actor');
  PERFORM stopgate.fail_dependants(v_now, v_task.seq);
  RETURN json_build_object('type', 'changed', 'state', 'cancelled');
END $$;

CREATE OR REPLACE FUNCTION stopgate.redrive(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.admitted_at();
  v_task stopgate.tasks := stopgate.lock_task(p->>'taskId');
  v_duplicate text;
BEGIN
  IF v_task.seq IS NULL OR v_task.state NOT IN ('dead', 'cancelled') THEN
    RETURN stopgate.not_changed(v_task, v_task.state = 'queued');
  END IF;
  SELECT id INTO v_duplicate FROM stopgate.tasks WHERE live_key = v_task.dedupe_key;
  IF FOUND THEN
    RETURN json_build_object('type', 'refused', 'reason', 'duplicate', 'existingId', v_duplicate);
  END IF;
  UPDATE stopgate.tasks SET state = 'queued', failures = 0, reclaims = 0, releases = 0, counted_from = epoch, run_at = v_now,
    updated_at = v_now, live_key = dedupe_key WHERE seq = v_task.seq;
  PERFORM stopgate.put(v_task.seq);
  PERFORM stopgate.record_event(v_now, 'task.redriven',
    json_build_object('state', 'queued', 'failures', 0, 'reclaims', 0, 'releases', 0, 'runAt', v_now,
      'reason', p->>'reason'), p_task => v_task.seq, p_actor => p->>'actor');
  PERFORM stopgate.hint(v_task.queue);
  RETURN json_build_object('type', 'changed', 'state', 'queued');
END $$;

CREATE OR REPLACE FUNCTION stopgate.hold(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.admitted_at();
  v_reason text := coalesce(p->>'reason', 'held');
  v_task stopgate.tasks := stopgate.lock_task(p->>'taskId');
BEGIN
  IF v_task.seq IS NULL OR v_task.state <> 'queued' OR v_task.hold_reason = v_reason THEN
    RETURN stopgate.not_changed(v_task, v_task.state = 'queued');
  END IF;
  UPDATE stopgate.tasks SET hold_reason = v_reason, updated_at = v_now WHERE seq = v_task.seq;
  PERFORM stopgate.put(v_task.seq);
  PERFORM stopgate.record_event(v_now, 'task.held',
    json_build_object('holdReason', v_reason), p_task => v_task.seq, p_actor => p->>'actor');
  RETURN json_build_object('type', 'changed', 'state', v_task.state);
END $$;

CREATE OR REPLACE FUNCTION stopgate.unhold(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.admitted_at();
  v_task stopgate.tasks := stopgate.lock_task(p->>'taskId');
BEGIN
  IF v_task.hold_reason IS NULL THEN
    RETURN stopgate.not_changed(v_task, true);
  END IF;
  UPDATE stopgate.tasks SET hold_reason = NULL, updated_at = v_now WHERE seq = v_task.seq;
  PERFORM stopgate.put(v_task.seq);
  PERFORM stopgate.record_event(v_now, 'task.unheld',
    '{"holdReason":null}', p_task => v_task.seq, p_actor => p->>'actor');
  PERFORM stopgate.hint(v_task.queue);
  RETURN json_build_object('type', 'changed', 'state', v_task.state);
END $$;

CREATE OR REPLACE FUNCTION stopgate.pause_queue(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.admitted_at();
BEGIN
  INSERT INTO stopgate.queues VALUES (p->>'queue', NULL, NULL) ON CONFLICT DO NOTHING;
  UPDATE stopgate.queues SET paused_at = v_now, reason = p->>'reason' WHERE name = p->>'queue' AND paused_at IS NULL;
  IF NOT FOUND THEN
    RETURN json_build_object('type', 'unchanged');
  END IF;
  INSERT INTO stopgate.obstacles (kind, key, whose) VALUES ('queue', p->>'queue', p->>'queue');
  PERFORM stopgate.record_event(v_now, 'queue.paused',
    json_build_object('queue', p->>'queue', 'reason', p->>'reason'), p_actor => p->>'actor');
  RETURN json_build_object('type', 'changed');
END $$;

CREATE OR REPLACE FUNCTION stopgate.resume_queue(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.admitted_at();
BEGIN
  UPDATE stopgate.queues SET paused_at = NULL, reason = NULL WHERE name = p->>'queue' AND paused_at IS NOT NULL;
  IF NOT FOUND THEN
    RETURN json_build_object('type', 'unchanged');
  END IF;
  PERFORM stopgate.clear('queue', p->>'queue');
  PERFORM stopgate.record_event(v_now, 'queue.resumed',
    json_build_object('queue', p->>'queue', 'reason', p->>'reason'), p_actor => p->>'actor');
  PERFORM stopgate.hint(p->>'queue');
  RETURN json_build_object('type', 'changed');
END $$;
