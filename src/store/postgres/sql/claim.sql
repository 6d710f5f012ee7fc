-- One call, one round trip: the worker, its account, the task, its attempt and the event. Handles every case.

CREATE OR REPLACE FUNCTION stopgate.previous_view(p_task bigint, p_epoch bigint) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('attemptId', b.id, 'epoch', b.epoch, 'state', b.state, 'outcome', b.outcome, 'error', b.error,
    'checkpoint', b.checkpoint, 'checkpointAt', b.checkpoint_at, 'details', b.details, 'endedAt', b.ended_at)
    FROM stopgate.attempts b WHERE b.task_seq = p_task AND b.epoch < p_epoch ORDER BY b.epoch DESC LIMIT 1
$$;

CREATE OR REPLACE FUNCTION stopgate.claimed_view(t stopgate.tasks, a stopgate.attempts, p_now bigint) RETURNS json
LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_previous json;
BEGIN
  IF a.epoch > 1 THEN
    v_previous := stopgate.previous_view(t.seq, a.epoch);
  END IF;
  RETURN json_build_object('type', 'claimed', 'lease', stopgate.lease_view(a, t.id), 'task', stopgate.task_view(t, p_now),
    'attempt', stopgate.attempt_view(a, t.id), 'attemptNumber', t.failures + t.reclaims + t.releases + 1,
    'previous', v_previous);
END $$;

CREATE OR REPLACE FUNCTION stopgate.refused(p_reason text) RETURNS json LANGUAGE sql IMMUTABLE AS $$
  SELECT json_build_object('type', 'refused', 'reason', p_reason)
$$;

-- The task was ready; the caller has already deleted its row in `ready`.
CREATE OR REPLACE FUNCTION stopgate.take(p_task bigint, p jsonb, p_now bigint) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_offer bigint := (p->>'offerMs')::bigint;
  v_attempt stopgate.attempts;
  t stopgate.tasks;
BEGIN
  -- the end of a task in a limited queue may let others be claimed, see meet_dependants
  UPDATE stopgate.tasks x SET state = 'claimed', epoch = x.epoch + 1, attempt_id = p->>'claimKey', updated_at = p_now,
      waited_for = x.waited_for OR stopgate.is_limited(x.queue)
    WHERE x.seq = p_task RETURNING * INTO t;
  INSERT INTO stopgate.attempts (task_seq, epoch, id, worker_id, incarnation, state, claimed_at, offered_at, offer_until,
    started_at, deadline_at)
    VALUES (t.seq, t.epoch, p->>'claimKey', p->>'workerId', (p->>'incarnation')::bigint,
      CASE WHEN v_offer IS NULL THEN 'active' ELSE 'offered' END, p_now, CASE WHEN v_offer IS NOT NULL THEN p_now END,
      p_now + v_offer, CASE WHEN v_offer IS NULL THEN p_now END, CASE WHEN v_offer IS NULL THEN p_now + stopgate.time_limit(t) END)
    RETURNING * INTO v_attempt;
  IF v_offer IS NOT NULL THEN
    INSERT INTO stopgate.obstacles (kind, key, since) VALUES ('offer', v_attempt.id, v_attempt.offer_until);
  END IF;
  PERFORM stopgate.record_event(p_now, CASE WHEN v_offer IS NULL THEN 'task.claimed' ELSE 'task.offered' END,
    json_build_object('state', 'claimed', 'attemptState', v_attempt.state),
    p_task => t.seq, p_attempt => v_attempt.id, p_worker => v_attempt.worker_id, p_epoch => t.epoch);
  UPDATE stopgate.workers SET attempt_id = v_attempt.id, last_claimed_at = p_now, heartbeat_at = p_now, suspect_at = NULL
    WHERE id = v_attempt.worker_id;
  RETURN stopgate.claimed_view(t, v_attempt, p_now);
END $$;

CREATE OR REPLACE FUNCTION stopgate.claim_named(p jsonb, p_now bigint) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_task stopgate.tasks;
BEGIN
  v_task := stopgate.lock_task(p->>'taskId');
  IF v_task.seq IS NULL THEN
    RETURN stopgate.refused('unknownTask');
  END IF;
  IF stopgate.status(v_task, p_now) <> 'ready' THEN
    RETURN json_build_object('type', 'refused', 'reason', 'taskNotReady', 'status', stopgate.status(v_task, p_now));
  END IF;
  IF stopgate.is_paused(v_task.queue) OR stopgate.is_kept_back(v_task) THEN
    RETURN stopgate.readiness_of('empty', v_task.queue, NULL, p_now);
  END IF;
  PERFORM stopgate.withdraw(v_task.seq);
  RETURN stopgate.take(v_task.seq, p, p_now);
END $$;

CREATE OR REPLACE FUNCTION stopgate.take_next(p_queue text, p_types text[], p jsonb, p_now bigint) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_task bigint;
  v_head record;
  v_type text;
  v_above integer := -2147483648;
BEGIN
  LOOP
    SELECT * INTO v_head FROM stopgate.next_head(p_queue, p_types, v_above);
    IF v_head.priority IS NULL THEN
      RETURN NULL;
    END IF;
    v_above := v_head.priority;
    CONTINUE WHEN v_head.run_at > p_now;
    FOREACH v_type IN ARRAY coalesce(v_head.type || p_types, ARRAY[NULL::text]) LOOP
      v_task := stopgate.pull(p_queue, v_type, v_above, p_now);
      IF v_task IS NOT NULL THEN
        RETURN stopgate.take(v_task, p, p_now);
      END IF;
    END LOOP;
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION stopgate.claim(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.admitted_at();
  v_queue text := coalesce(p->>'queue', 'default');
  v_worker stopgate.workers;
  v_attempt stopgate.attempts;
  v_until bigint;
  v_answer json;
  v_stale boolean;
  v_paused boolean;
  v_types text[];
BEGIN
  SELECT EXISTS (SELECT 1 FROM stopgate.obstacles WHERE kind = 'offer' AND since <= v_now),
    EXISTS (SELECT 1 FROM stopgate.queues WHERE name = v_queue AND paused_at IS NOT NULL) INTO v_stale, v_paused;
  IF v_stale THEN
    PERFORM stopgate.expire_due_offers(v_now);
  END IF;
  SELECT * INTO v_worker FROM stopgate.workers WHERE id = p->>'workerId' FOR NO KEY UPDATE;
  SELECT * INTO v_attempt FROM stopgate.attempts WHERE id = p->>'claimKey';
  SELECT paused_until INTO v_until FROM stopgate.accounts WHERE key = v_worker.account_key;
  v_answer := CASE
    WHEN v_worker.id IS NULL THEN stopgate.refused('unknownWorker')
    WHEN v_worker.incarnation <> (p->>'incarnation')::bigint
      THEN json_build_object('type', 'refused', 'reason', 'staleIncarnation', 'incarnation', v_worker.incarnation)
    WHEN v_attempt.worker_id = v_worker.id AND v_attempt.incarnation = v_worker.incarnation
      AND v_attempt.state IN ('active', 'offered')
      THEN stopgate.claimed_view((SELECT t FROM stopgate.tasks t WHERE t.seq = v_attempt.task_seq), v_attempt, v_now)
    WHEN v_attempt.id IS NOT NULL
      THEN json_build_object('type', 'refused', 'reason', 'claimKeyUsed', 'state', v_attempt.state)
    WHEN v_worker.state <> 'live' THEN stopgate.refused(v_worker.state)
    WHEN v_worker.attempt_id IS NOT NULL
      THEN json_build_object('type', 'refused', 'reason', 'holding', 'lease', stopgate.lease_of(v_worker))
    WHEN v_until > v_now THEN json_build_object('type', 'refused', 'reason', 'accountPaused', 'untilAt', v_until) END;
  IF v_answer IS NOT NULL THEN
    RETURN v_answer;
  END IF;
  IF v_worker.suspect_at IS NOT NULL OR v_now - v_worker.heartbeat_at >= 10000 THEN
    UPDATE stopgate.workers SET heartbeat_at = v_now, suspect_at = NULL WHERE id = v_worker.id;
  END IF;
  IF v_worker.suspect_at IS NOT NULL THEN
    PERFORM stopgate.record_event(v_now, 'worker.recovered', '{"suspectAt":null}', p_worker => v_worker.id);
  END IF;
  IF p->>'taskId' IS NOT NULL THEN
    RETURN stopgate.claim_named(p, v_now);
  END IF;
  IF p ? 'types' THEN
    v_types := stopgate.texts(p->'types');
  END IF;
  IF NOT v_paused THEN
    IF stopgate.is_limited(v_queue) THEN
      v_answer := stopgate.take_within(v_queue, v_types, p, v_now);
    ELSE
      v_answer := stopgate.take_next(v_queue, v_types, p, v_now);
    END IF;
  END IF;
  RETURN coalesce(v_answer, stopgate.readiness_of('empty', v_queue, v_types, v_now));
END $$;
