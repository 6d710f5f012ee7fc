-- Slots, their incarnations, and how they end.

CREATE OR REPLACE FUNCTION stopgate.keep_facts(p_id text, p jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  UPDATE stopgate.workers SET
    kind = coalesce(p->>'kind', kind), queue = coalesce(p->>'queue', queue),
    types = CASE WHEN p ? 'types' THEN p->>'types' ELSE types END,
    host = CASE WHEN p ? 'host' THEN p->>'host' ELSE host END,
    pid = CASE WHEN p ? 'pid' THEN (p->>'pid')::bigint ELSE pid END,
    pid_start = CASE WHEN p ? 'pidStart' THEN p->>'pidStart' ELSE pid_start END,
    session_id = CASE WHEN p ? 'sessionId' THEN p->>'sessionId' ELSE session_id END,
    account_key = CASE WHEN p ? 'accountKey' THEN p->>'accountKey' ELSE account_key END,
    idle_limit_ms = CASE WHEN p ? 'idleLimitMs' THEN (p->>'idleLimitMs')::bigint ELSE idle_limit_ms END
    WHERE id = p_id;
  RETURN (SELECT string_agg(name, ' ' ORDER BY position) FROM unnest(ARRAY['kind', 'queue', 'types', 'host', 'pid',
    'pidStart', 'sessionId', 'accountKey', 'idleLimitMs']) WITH ORDINALITY AS x (name, position) WHERE p ? name);
END $$;

CREATE OR REPLACE FUNCTION stopgate.stale(w stopgate.workers) RETURNS json LANGUAGE sql IMMUTABLE AS $$
  SELECT json_build_object('type', 'staleIncarnation', 'incarnation', coalesce(w.incarnation, 0))
$$;

-- Only the number of the last incarnation is kept.
CREATE OR REPLACE FUNCTION stopgate.start_incarnation(p_id text, p jsonb, p_now bigint, p_until bigint) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  v_incarnation bigint;
BEGIN
  SELECT incarnation + 1 INTO v_incarnation FROM stopgate.workers WHERE id = p_id;
  DELETE FROM stopgate.workers WHERE id = p_id;
  INSERT INTO stopgate.workers (id, incarnation, state, registered_at, heartbeat_at, activity_at, launch_until)
    VALUES (p_id, coalesce(v_incarnation, 1), 'launching', p_now, p_now, p_now, p_until);
  PERFORM stopgate.keep_facts(p_id, p);
  INSERT INTO stopgate.launches VALUES (p_id, coalesce(v_incarnation, 1), p_now, NULL, NULL, NULL);
  RETURN coalesce(v_incarnation, 1);
END $$;

-- A slot that does not exist yet has no row to lock.
CREATE OR REPLACE FUNCTION stopgate.lock_slot(p_id text) RETURNS stopgate.workers LANGUAGE plpgsql AS $$
DECLARE
  v_worker stopgate.workers;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('stopgate.slot'), hashtext(p_id));
  SELECT * INTO v_worker FROM stopgate.workers WHERE id = p_id FOR UPDATE;
  RETURN v_worker;
END $$;

CREATE OR REPLACE FUNCTION stopgate.register_worker(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.admitted_at();
  v_id text := p->>'workerId';
  v_incarnation bigint := (p->>'incarnation')::bigint;
  v_lease bigint := stopgate.other_lease(p);
  v_worker stopgate.workers := stopgate.lock_slot(v_id);
BEGIN
  IF v_lease IS NOT NULL THEN
    RETURN json_build_object('type', 'otherLease', 'leaseMs', v_lease);
  END IF;
  IF v_incarnation IS NOT NULL THEN
    IF v_worker.incarnation IS DISTINCT FROM v_incarnation OR v_worker.state IN ('stopped', 'lost') THEN
      RETURN stopgate.stale(v_worker);
    END IF;
  ELSIF v_worker.attempt_id IS NOT NULL THEN
    RETURN json_build_object('type', 'occupied', 'worker', stopgate.worker_view(v_worker, v_now),
      'lease', stopgate.lease_of(v_worker));
  -- a process that got no answer asks again, and its first request may still arrive after the second: it has one incarnation
  ELSIF v_worker.state = 'live' AND v_worker.host = p->>'host' AND v_worker.pid = (p->>'pid')::bigint
    AND v_worker.pid_start = p->>'pidStart' THEN
    v_incarnation := v_worker.incarnation;
  ELSE
    v_incarnation := stopgate.start_incarnation(v_id, p, v_now, NULL);
  END IF;
  UPDATE stopgate.launches SET started_at = v_now WHERE slot = v_id AND incarnation = v_incarnation AND started_at IS NULL;
  UPDATE stopgate.workers SET state = CASE state WHEN 'launching' THEN 'live' ELSE state END,
    registered_at = CASE state WHEN 'launching' THEN v_now ELSE registered_at END, launch_until = NULL,
    suspect_at = NULL, heartbeat_at = v_now, activity_at = v_now WHERE id = v_id RETURNING * INTO v_worker;
  PERFORM stopgate.keep_facts(v_id, p);
  PERFORM stopgate.record_event(v_now, 'worker.registered',
    json_build_object('state', v_worker.state, 'incarnation', v_incarnation, 'suspectAt', NULL), p_worker => v_id);
  RETURN json_build_object('type', 'registered', 'incarnation', v_incarnation);
END $$;

CREATE OR REPLACE FUNCTION stopgate.launch(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.admitted_at();
  v_until bigint := v_now + (p->>'deadlineMs')::bigint;
  v_worker stopgate.workers;
  v_incarnation bigint;
BEGIN
  IF jsonb_typeof(p->'leader') = 'object' AND NOT stopgate.leads(p->'leader', v_now) THEN
    RETURN json_build_object('type', 'notLeading');
  END IF;
  v_worker := stopgate.lock_slot(p->>'slot');
  IF v_worker.attempt_id IS NOT NULL OR v_worker.state IN ('live', 'draining')
    OR (v_worker.state = 'launching' AND v_worker.launch_until > v_now) THEN
    RETURN json_build_object('type', 'occupied', 'worker', stopgate.worker_view(v_worker, v_now),
      'lease', stopgate.lease_of(v_worker));
  END IF;
  v_incarnation := stopgate.start_incarnation(p->>'slot', p, v_now, v_until);
  PERFORM stopgate.record_event(v_now, 'worker.launching',
    json_build_object('state', 'launching', 'incarnation', v_incarnation, 'suspectAt', NULL),
    p_worker => p->>'slot', p_actor => p->'leader'->>'holder');
  RETURN json_build_object('type', 'launching', 'incarnation', v_incarnation, 'launchUntil', v_until);
END $$;

-- Records how a start of a slot ended; only the first call counts.
CREATE OR REPLACE FUNCTION stopgate.close_launch(p_now bigint, p_slot text, p_incarnation bigint, p_result text) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE stopgate.launches SET ended_at = p_now, result = p_result
    WHERE slot = p_slot AND incarnation = p_incarnation AND ended_at IS NULL;
  RETURN FOUND;
END $$;

CREATE OR REPLACE FUNCTION stopgate.end_launch(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.admitted_at();
BEGIN
  PERFORM stopgate.lock_slot(p->>'slot');
  IF NOT stopgate.close_launch(v_now, p->>'slot', (p->>'incarnation')::bigint, p->>'result') THEN
    RETURN json_build_object('type', 'unchanged');
  END IF;
  UPDATE stopgate.workers SET state = 'stopped', exit_reason = p->>'result', launch_until = NULL
    WHERE id = p->>'slot' AND incarnation = (p->>'incarnation')::bigint AND state = 'launching';
  IF FOUND THEN
    PERFORM stopgate.record_event(v_now, 'worker.stopped',
      json_build_object('state', 'stopped', 'reason', p->>'result'), p_worker => p->>'slot');
  END IF;
  RETURN json_build_object('type', 'noted');
END $$;

-- Whether the slot belongs to the incarnation that a request names, if it names one.
CREATE OR REPLACE FUNCTION stopgate.is_this(w stopgate.workers, p jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT w.id IS NOT NULL AND w.incarnation IS NOT DISTINCT FROM coalesce((p->>'incarnation')::bigint, w.incarnation)
$$;

CREATE OR REPLACE FUNCTION stopgate.not_this(w stopgate.workers) RETURNS json LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN w.id IS NULL THEN json_build_object('type', 'unknownWorker') ELSE stopgate.stale(w) END
$$;

CREATE OR REPLACE FUNCTION stopgate.update_worker(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.admitted_at();
  v_id text := p->>'workerId';
  v_worker stopgate.workers;
  v_said text;
  v_reason text := p->'stopBlock'->>'reason';
BEGIN
  SELECT * INTO v_worker FROM stopgate.workers WHERE id = v_id FOR NO KEY UPDATE;
  IF NOT stopgate.is_this(v_worker, p) THEN
    RETURN stopgate.not_this(v_worker);
  END IF;
  v_said := stopgate.keep_facts(v_id, p - 'kind' - 'queue' - 'types');
  IF v_said IS NOT NULL THEN
    PERFORM stopgate.record_event(v_now, 'worker.updated', json_build_object('said', v_said), p_worker => v_id);
  END IF;
  IF v_reason IS NOT NULL THEN
    UPDATE stopgate.workers SET stop_blocks = stop_blocks + 1, last_block_reason = v_reason WHERE id = v_id;
    PERFORM stopgate.record_event(v_now, 'worker.stopBlocked',
      json_build_object('stopBlocks', v_worker.stop_blocks + 1, 'reason', v_reason), p_worker => v_id);
    RETURN json_build_object('type', 'updated', 'stopBlocks', v_worker.stop_blocks + 1,
      'sameReason', v_worker.stop_blocks > 0 AND v_worker.last_block_reason = v_reason);
  END IF;
  IF p->>'stopBlock' = 'clear' THEN
    IF v_worker.stop_blocks > 0 THEN
      UPDATE stopgate.workers SET stop_blocks = 0, last_block_reason = NULL WHERE id = v_id;
      PERFORM stopgate.record_event(v_now, 'worker.stopBlocksCleared', '{"stopBlocks":0}', p_worker => v_id);
    END IF;
    v_worker.stop_blocks := 0;
  END IF;
  RETURN json_build_object('type', 'updated', 'stopBlocks', v_worker.stop_blocks, 'sameReason', false);
END $$;

CREATE OR REPLACE FUNCTION stopgate.drain_worker(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.admitted_at();
  v_worker stopgate.workers;
BEGIN
  SELECT * INTO v_worker FROM stopgate.workers WHERE id = p->>'workerId' FOR NO KEY UPDATE;
  IF NOT stopgate.is_this(v_worker, p) THEN
    RETURN stopgate.not_this(v_worker);
  END IF;
  IF v_worker.state NOT IN ('live', 'launching') THEN
    RETURN json_build_object('type', 'unchanged');
  END IF;
  UPDATE stopgate.workers SET state = 'draining' WHERE id = v_worker.id;
  PERFORM stopgate.record_event(v_now, 'worker.draining',
    '{"state":"draining"}', p_worker => v_worker.id, p_actor => p->>'actor');
  RETURN json_build_object('type', 'draining');
END $$;

CREATE OR REPLACE FUNCTION stopgate.stop_worker(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.admitted_at();
  v_worker stopgate.workers;
BEGIN
  SELECT * INTO v_worker FROM stopgate.workers WHERE id = p->>'workerId' FOR NO KEY UPDATE;
  IF NOT stopgate.is_this(v_worker, p) THEN
    RETURN stopgate.not_this(v_worker);
  END IF;
  IF v_worker.state NOT IN ('stopped', 'lost') THEN
    IF v_worker.attempt_id IS NOT NULL THEN
      RETURN json_build_object('type', 'holding', 'lease', stopgate.lease_of(v_worker));
    END IF;
    UPDATE stopgate.workers SET state = 'stopped', exit_code = (p->>'exitCode')::bigint, exit_reason = p->>'exitReason',
      suspect_at = NULL, launch_until = NULL WHERE id = v_worker.id;
    PERFORM stopgate.close_launch(v_now, v_worker.id, v_worker.incarnation, p->>'exitReason');
    PERFORM stopgate.record_event(v_now, 'worker.stopped',
      json_build_object('state', 'stopped', 'reason', p->>'exitReason', 'suspectAt', NULL), p_worker => v_worker.id);
  END IF;
  RETURN json_build_object('type', 'stopped');
END $$;

CREATE OR REPLACE FUNCTION stopgate.defer_reclaim(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.admitted_at();
  v_worker stopgate.workers;
BEGIN
  SELECT * INTO v_worker FROM stopgate.workers WHERE id = p->>'workerId';
  IF NOT stopgate.is_this(v_worker, p) THEN
    RETURN stopgate.not_this(v_worker);
  END IF;
  PERFORM stopgate.record_event(v_now, 'worker.reclaimDeferred',
    json_build_object('reason', p->>'reason'),
    p_attempt => v_worker.attempt_id, p_worker => v_worker.id, p_actor => p->>'actor');
  RETURN json_build_object('type', 'noted');
END $$;

CREATE OR REPLACE FUNCTION stopgate.launches(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.now_ms();
  v_launches json;
BEGIN
  SELECT coalesce(json_agg(json_build_object('slot', slot, 'incarnation', incarnation, 'requestedAt', requested_at,
    'startedAt', started_at, 'endedAt', ended_at, 'result', result) ORDER BY requested_at DESC, slot, incarnation DESC), '[]')
    INTO v_launches FROM (SELECT * FROM stopgate.launches WHERE (p->>'slot' IS NULL OR slot = p->>'slot')
      AND requested_at >= coalesce(v_now - (p->>'withinMs')::bigint, 0)
      ORDER BY requested_at DESC, slot, incarnation DESC LIMIT coalesce((p->>'limit')::bigint, 1000)) x;
  RETURN json_build_object('type', 'launches', 'now', v_now, 'launches', v_launches);
END $$;
