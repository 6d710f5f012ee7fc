-- Puts a dead worker's task back; silence alone needs two calls.

CREATE OR REPLACE FUNCTION stopgate.reap(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.admitted_at();
  v_grace bigint := (p->>'graceMs')::bigint;
  w stopgate.workers;
BEGIN
  SELECT * INTO w FROM stopgate.workers WHERE id = p->>'workerId' FOR NO KEY UPDATE;
  IF NOT stopgate.is_this(w, p) THEN
    RETURN stopgate.not_this(w);
  END IF;
  IF w.state IN ('stopped', 'lost') THEN
    RETURN json_build_object('type', 'unchanged');
  END IF;
  IF p->>'evidence' = 'lapsed' AND w.suspect_at IS NULL THEN
    IF v_now < (CASE WHEN w.state = 'launching' AND w.launch_until IS NOT NULL THEN w.launch_until
      ELSE w.heartbeat_at + (p->>'staleAfterMs')::bigint END) THEN
      RETURN json_build_object('type', 'alive', 'heartbeatAt', w.heartbeat_at);
    END IF;
    UPDATE stopgate.workers SET suspect_at = v_now WHERE id = w.id;
    PERFORM stopgate.record_event(v_now, 'worker.suspect',
      json_build_object('suspectAt', v_now), p_worker => w.id, p_actor => p->>'actor');
    RETURN json_build_object('type', 'suspect', 'dueAt', v_now + v_grace);
  END IF;
  IF p->>'evidence' = 'lapsed' AND v_now < w.suspect_at + v_grace THEN
    RETURN json_build_object('type', 'suspect', 'dueAt', w.suspect_at + v_grace);
  END IF;
  RETURN stopgate.bury(w, p, v_now);
END $$;

CREATE OR REPLACE FUNCTION stopgate.bury(w stopgate.workers, p jsonb, p_now bigint) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_reason text := coalesce(p->>'reason', p->>'evidence');
  h stopgate.held;
  v_run_at bigint;
  v_state text;
BEGIN
  IF w.attempt_id IS NOT NULL THEN
    h := stopgate.held_by(w.attempt_id);
  END IF;
  UPDATE stopgate.workers SET state = 'lost', exit_code = (p->>'exitCode')::bigint, exit_reason = v_reason,
    suspect_at = NULL, launch_until = NULL WHERE id = w.id;
  PERFORM stopgate.close_launch(p_now, w.id, w.incarnation, v_reason);
  PERFORM stopgate.record_event(p_now, 'worker.lost',
    json_build_object('state', 'lost', 'reason', v_reason, 'suspectAt', NULL), p_worker => w.id, p_actor => p->>'actor');
  IF h.attempt_id IS NULL THEN
    RETURN json_build_object('type', 'reaped', 'task', NULL);
  END IF;
  IF h.state = 'offered' THEN
    v_state := stopgate.take_offer_back(h, p_now);
  ELSE
    v_run_at := p_now + stopgate.retry_ms(h.backoff_ms, h.reclaims + 1, (p->>'jitter')::double precision);
    v_state := stopgate.put_back(h, p_now, 'reclaims', v_run_at, 'Its worker was lost: ' || v_reason);
    PERFORM stopgate.end_attempt(h, p_now, 'lost', v_reason, NULL, NULL);
    PERFORM stopgate.record_event(p_now, 'task.lost',
      json_build_object('state', v_state, 'runAt', v_run_at, 'reclaims', h.reclaims + 1, 'attemptState', 'lost'), h);
    PERFORM stopgate.end_dependants(h, p_now, v_state);
  END IF;
  RETURN json_build_object('type', 'reaped', 'task', json_build_object('id', h.task_id, 'state', v_state));
END $$;
