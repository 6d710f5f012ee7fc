-- Nearly every claim and completion goes through these two functions, with as few statements and expressions as possible: the
-- server sets up each of them again in every transaction, and that is most of its work. Any other case is left to the full
-- functions in claim.sql and settle.sql. Locks are taken in the same order, worker before task, and no call waits for a task.
--
-- The first statement of each function locks the worker before it reads `obstacles`, and a move waits for that lock. So a call
-- that finds no obstacle ends before the move starts.
--
-- SG003 means: nothing was done, call the full function instead.

-- `claimed_row` (see claimedOf.ts) lacks what only some tasks have.
CREATE OR REPLACE FUNCTION stopgate.has_more(t stopgate.tasks) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT t.body IS NULL OR t.epoch > 1 OR t.cost_budget_usd IS NOT NULL OR t.token_budget IS NOT NULL
    OR t.total_time_ms IS NOT NULL
$$;

CREATE OR REPLACE FUNCTION stopgate.with_more(p_claimed text, p_task bigint) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT left(p_claimed, -1) || ',' || json_build_array(stopgate.body_of(t), t.cost_budget_usd,
    stopgate.previous_view(t.seq, t.epoch), t.token_budget, t.total_time_ms, t.counted_from, stopgate.time_limit(t)) || ']' FROM stopgate.tasks t WHERE t.seq = p_task
$$;

CREATE OR REPLACE FUNCTION stopgate.claim_next(p_worker text, p_incarnation bigint, p_key text, p_queue text, p_offer bigint)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.now_ms();
  v_taken bigint;
  v_epoch bigint;
  v_budget bigint;
  v_told xid8;
  v_has_more boolean;
  v_claimed text;
  v_kind text := 'task.claimed';
  v_change json := '{"state":"claimed","attemptState":"active"}';
BEGIN
  PERFORM 1 FROM stopgate.workers w WHERE w.id = p_worker AND w.incarnation = p_incarnation AND w.attempt_id IS NULL
    AND w.suspect_at IS NULL AND w.state = 'live' AND NOT EXISTS (SELECT 1 FROM stopgate.obstacles o
      WHERE o.since <= v_now AND o.until > v_now AND (o.whose IS NULL OR o.whose = p_queue OR o.whose = w.account_key))
    FOR NO KEY UPDATE;
  IF FOUND THEN
    -- The first in line, if it is due. SKIP LOCKED: a second worker takes the next task instead of waiting. No other
    -- transaction has a lock on the task then, see taskLocks.sql.
    DELETE FROM stopgate.ready WHERE run_at <= v_now AND ctid = (
        SELECT r.ctid FROM stopgate.ready r WHERE r.queue = p_queue
          ORDER BY r.priority, r.run_at, r.task_seq LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING task_seq INTO v_taken;
  END IF;
  IF v_taken IS NULL THEN
    RETURN stopgate.claim(jsonb_build_object('workerId', p_worker, 'incarnation', p_incarnation, 'claimKey', p_key,
      'queue', p_queue, 'offerMs', p_offer));
  END IF;
  UPDATE stopgate.tasks t SET state = 'claimed', epoch = t.epoch + 1, attempt_id = p_key, updated_at = v_now,
      told = greatest(t.told, pg_current_xact_id()) WHERE t.seq = v_taken
    RETURNING t.epoch, CASE WHEN t.total_time_ms IS NULL THEN t.time_budget_ms ELSE stopgate.time_limit(t) END, t.told, stopgate.has_more(t), stopgate.claimed_row(t)
    INTO v_epoch, v_budget, v_told, v_has_more, v_claimed;
  IF v_has_more THEN
    v_claimed := stopgate.with_more(v_claimed, v_taken);
  END IF;
  IF p_offer IS NULL THEN
    INSERT INTO stopgate.attempts (task_seq, epoch, id, worker_id, incarnation, state, claimed_at, started_at, deadline_at)
      VALUES (v_taken, v_epoch, p_key, p_worker, p_incarnation, 'active', v_now, v_now, v_now + v_budget);
  ELSE
    INSERT INTO stopgate.attempts (task_seq, epoch, id, worker_id, incarnation, state, claimed_at, offered_at, offer_until)
      VALUES (v_taken, v_epoch, p_key, p_worker, p_incarnation, 'offered', v_now, v_now, v_now + p_offer);
    INSERT INTO stopgate.obstacles (kind, key, since) VALUES ('offer', p_key, v_now + p_offer);
    v_kind := 'task.offered';
    v_change := '{"state":"claimed","attemptState":"offered"}';
  END IF;
  UPDATE stopgate.workers SET attempt_id = p_key, last_claimed_at = v_now, heartbeat_at = v_now WHERE id = p_worker;
  INSERT INTO stopgate.events (xid, at, kind, task_seq, attempt_id, worker_id, epoch, data)
    VALUES (v_told, v_now, v_kind, v_taken, p_key, p_worker, v_epoch, v_change);
  RETURN v_claimed;
END $$;

-- Completes the task that the worker still holds and, if there is a p_key, claims the next one. Texts that are known beforehand are
-- written out: to build them took the server as long as to write a row.
CREATE OR REPLACE FUNCTION stopgate.complete_and_claim(
  p_worker text, p_incarnation bigint, p_attempt text, p_epoch bigint, p_task text, p_result text, p_details jsonb,
  p_key text, p_queue text, p_offer bigint
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.now_ms();
  v_task bigint;
  v_waited_for boolean;
  v_told xid8;
  v_reply text := '{"type":"accepted","taskState":"done","late":false}';
  v_change json := '{"state":"done","attemptState":"succeeded","late":false}';
  v_taken bigint;
  v_epoch bigint;
  v_budget bigint;
  v_taken_told xid8;
  v_has_more boolean;
  v_claimed text;
  v_taken_kind text := 'task.claimed';
  v_taken_change json := '{"state":"claimed","attemptState":"active"}';
  v_has_branch boolean;
  v_others bigint;
  v_delayed bigint;
  v_due_at bigint;
  v_is_empty boolean;
BEGIN
  UPDATE stopgate.workers w SET attempt_id = p_key, tool_started_at = NULL, last_settled_at = v_now, heartbeat_at = v_now,
      last_claimed_at = CASE WHEN p_key IS NULL THEN w.last_claimed_at ELSE v_now END
    WHERE w.id = p_worker AND w.incarnation = p_incarnation AND w.attempt_id = p_attempt AND w.suspect_at IS NULL
      AND (p_key IS NULL OR w.state = 'live') AND NOT EXISTS (SELECT 1 FROM stopgate.obstacles o
        WHERE o.kind = 'moved' OR (p_key IS NOT NULL AND o.since <= v_now AND o.until > v_now
          AND (o.whose IS NULL OR o.whose = p_queue OR o.whose = w.account_key)));
  IF NOT FOUND THEN
    RETURN stopgate.complete(jsonb_strip_nulls(jsonb_build_object('result', p_result, 'lease', jsonb_build_object(
      'workerId', p_worker, 'incarnation', p_incarnation, 'attemptId', p_attempt, 'epoch', p_epoch, 'taskId', p_task),
      'next', CASE WHEN p_key IS NOT NULL THEN jsonb_build_object('claimKey', p_key, 'queue', p_queue, 'offerMs', p_offer) END))
      || CASE WHEN p_details IS NULL THEN '{}' ELSE jsonb_build_object('details', p_details) END);
  END IF;

  -- the task: done, or with its verifier
  UPDATE stopgate.tasks t SET state = 'done', live_key = NULL, last_error = NULL, updated_at = v_now,
      told = greatest(t.told, pg_current_xact_id())
    WHERE t.id = p_task AND t.state = 'claimed' AND t.epoch = p_epoch AND t.attempt_id = p_attempt
      AND (t.verify IS NULL OR t.verify = '')
    RETURNING t.seq, t.waited_for, t.told INTO v_task, v_waited_for, v_told;
  IF NOT FOUND THEN
    v_reply := '{"type":"accepted","taskState":"verifying","late":false}';
    v_change := '{"state":"verifying","attemptState":"succeeded","late":false}';
    UPDATE stopgate.tasks t SET state = 'verifying', last_error = NULL, verify_reply = NULL,
        verify_epoch = t.verify_epoch + 1, verify_holder = NULL, verify_until = NULL, updated_at = v_now,
        told = greatest(t.told, pg_current_xact_id())
      WHERE t.id = p_task AND t.state = 'claimed' AND t.epoch = p_epoch AND t.attempt_id = p_attempt
      RETURNING t.seq, t.waited_for, t.told INTO v_task, v_waited_for, v_told;
    IF NOT FOUND THEN
      RAISE EXCEPTION USING ERRCODE = 'SG003';
    END IF;
    INSERT INTO stopgate.apart SELECT t.seq, 'verifying', t.queue, false FROM stopgate.tasks t WHERE t.seq = v_task;
    v_waited_for := false;
  END IF;

  -- the attempt; one that is only offered, or that names what has to be verified, needs more than this
  IF p_details ? 'verify' THEN
    RAISE EXCEPTION USING ERRCODE = 'SG003';
  ELSIF p_details IS NULL THEN
    UPDATE stopgate.attempts a SET state = 'succeeded', outcome = 'completed', ended_at = v_now, result = p_result,
        settled_by = 'complete', reply = v_reply
      WHERE a.task_seq = v_task AND a.epoch = p_epoch AND a.state = 'active' AND NOT a.details ? 'verify'
      RETURNING a.details ? 'branch' INTO v_has_branch;
  ELSE
    UPDATE stopgate.attempts a SET state = 'succeeded', outcome = 'completed', ended_at = v_now, result = p_result,
        settled_by = 'complete', reply = v_reply, details = a.details || p_details
      WHERE a.task_seq = v_task AND a.epoch = p_epoch AND a.state = 'active' AND NOT a.details ? 'verify'
      RETURNING a.details ? 'branch' INTO v_has_branch;
  END IF;
  IF v_has_branch IS NULL THEN
    RAISE EXCEPTION USING ERRCODE = 'SG003';
  END IF;
  IF v_has_branch AND v_change->>'state' = 'done' THEN
    PERFORM stopgate.await_review(v_task, p_epoch, v_now);
  END IF;

  -- a task that waited for this one may come before what is first in line now
  IF p_key IS NOT NULL AND NOT v_waited_for THEN
    DELETE FROM stopgate.ready WHERE run_at <= v_now AND ctid = (
        SELECT r.ctid FROM stopgate.ready r WHERE r.queue = p_queue
          ORDER BY r.priority, r.run_at, r.task_seq LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING task_seq INTO v_taken;
  END IF;
  IF v_taken IS NULL THEN
    INSERT INTO stopgate.events (xid, at, kind, task_seq, attempt_id, worker_id, epoch, data)
      VALUES (v_told, v_now, 'task.completed', v_task, p_attempt, p_worker, p_epoch, v_change);
    IF v_waited_for THEN
      PERFORM stopgate.meet_dependants(v_now, v_task);
    END IF;
    IF p_key IS NULL THEN
      RETURN v_reply;
    END IF;
    -- what it claimed last is what it has just completed
    UPDATE stopgate.workers w SET attempt_id = NULL, last_claimed_at = a.claimed_at FROM stopgate.attempts a
      WHERE w.id = p_worker AND a.id = p_attempt;
    IF NOT v_waited_for THEN
      -- Whether there is nothing, or only what other workers are taking, and how much that is: then everything about the queue is
      -- known. At the end of a queue every worker comes here, each on a connection for which it is the first time, and the full
      -- claim would be planned for each of them.
      SELECT count(*), count(*) FILTER (WHERE x.run_at > v_now), min(x.run_at) FILTER (WHERE x.run_at > v_now),
          (SELECT r.task_seq FROM stopgate.ready r WHERE r.queue = p_queue LIMIT 1 FOR UPDATE SKIP LOCKED) IS NULL
            AND NOT EXISTS (SELECT 1 FROM stopgate.apart a WHERE a.queue = p_queue AND a.place = 'waiting')
            AND NOT EXISTS (SELECT 1 FROM stopgate.attempts a WHERE a.id = p_key)
          INTO v_others, v_delayed, v_due_at, v_is_empty
        FROM (SELECT r.run_at FROM stopgate.ready r WHERE r.queue = p_queue LIMIT 1000) x;
      IF v_is_empty AND v_others < 1000 THEN
        RETURN rtrim(v_reply, '}') || ',"next":' || json_build_object('type', 'empty', 'ready', v_others - v_delayed,
          'delayed', v_delayed, 'nextDueAt', v_due_at, 'blocked', 0, 'held', 0, 'otherType', 0, 'queuePaused', false, 'limited', 0) || '}';
      END IF;
    END IF;
    RETURN rtrim(v_reply, '}') || ',"next":' || stopgate.claim(jsonb_build_object('workerId', p_worker,
      'incarnation', p_incarnation, 'claimKey', p_key, 'queue', p_queue, 'offerMs', p_offer)) || '}';
  END IF;

  UPDATE stopgate.tasks t SET state = 'claimed', epoch = t.epoch + 1, attempt_id = p_key, updated_at = v_now,
      told = greatest(t.told, pg_current_xact_id()) WHERE t.seq = v_taken
    RETURNING t.epoch, CASE WHEN t.total_time_ms IS NULL THEN t.time_budget_ms ELSE stopgate.time_limit(t) END, t.told, stopgate.has_more(t), stopgate.claimed_row(t)
    INTO v_epoch, v_budget, v_taken_told, v_has_more, v_claimed;
  IF v_has_more THEN
    v_claimed := stopgate.with_more(v_claimed, v_taken);
  END IF;
  IF p_offer IS NULL THEN
    INSERT INTO stopgate.attempts (task_seq, epoch, id, worker_id, incarnation, state, claimed_at, started_at, deadline_at)
      VALUES (v_taken, v_epoch, p_key, p_worker, p_incarnation, 'active', v_now, v_now, v_now + v_budget);
  ELSE
    INSERT INTO stopgate.attempts (task_seq, epoch, id, worker_id, incarnation, state, claimed_at, offered_at, offer_until)
      VALUES (v_taken, v_epoch, p_key, p_worker, p_incarnation, 'offered', v_now, v_now, v_now + p_offer);
    INSERT INTO stopgate.obstacles (kind, key, since) VALUES ('offer', p_key, v_now + p_offer);
    v_taken_kind := 'task.offered';
    v_taken_change := '{"state":"claimed","attemptState":"offered"}';
  END IF;
  INSERT INTO stopgate.events (xid, at, kind, task_seq, attempt_id, worker_id, epoch, data)
    VALUES (v_told, v_now, 'task.completed', v_task, p_attempt, p_worker, p_epoch, v_change),
      (v_taken_told, v_now, v_taken_kind, v_taken, p_key, p_worker, v_epoch, v_taken_change);
  RETURN rtrim(v_reply, '}') || ',"next":' || v_claimed || '}';
END $$;
