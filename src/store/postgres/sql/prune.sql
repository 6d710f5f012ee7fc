-- Removing what has ended: the same as sqlite/operations/prune.ts.

-- Ended for long enough, and needed by nothing. Dependants that are dead or cancelled can be requeued, so they keep it.
CREATE OR REPLACE FUNCTION stopgate.may_go(t stopgate.tasks, p jsonb, p_now bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT (t.state IN ('done', 'cancelled') OR (t.state = 'dead' AND coalesce((p->>'dead')::boolean, false)))
    AND t.updated_at <= p_now - (p->>'olderThanMs')::bigint AND (p->>'queue' IS NULL OR t.queue = p->>'queue')
    AND NOT EXISTS (SELECT 1 FROM stopgate.dependencies d JOIN stopgate.tasks x ON x.seq = d.task_seq
      WHERE d.depends_on = t.seq AND x.state <> 'done')
    AND NOT EXISTS (SELECT 1 FROM stopgate.children c JOIN stopgate.tasks x ON x.seq = c.task_seq
      WHERE c.parent_id = t.id AND x.state IN ('queued', 'claimed', 'verifying'))
    AND NOT EXISTS (SELECT 1 FROM stopgate.reviews r JOIN stopgate.attempts a ON a.task_seq = r.task_seq AND a.epoch = r.epoch
      WHERE r.task_seq = t.seq AND r.state NOT IN ('landed', 'proposed', 'rejected')
        AND stopgate.changed_something(a))
$$;

-- The newest event stays, as in SQLite, where its number would be given again.
CREATE OR REPLACE FUNCTION stopgate.is_newest(e stopgate.events) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT NOT EXISTS (SELECT 1 FROM stopgate.events x WHERE (x.xid, x.seq) > (e.xid, e.seq))
$$;

CREATE OR REPLACE FUNCTION stopgate.prunable_view(t stopgate.tasks, p_before bigint) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', t.id, 'title', t.title, 'state', t.state, 'updatedAt', t.updated_at, 'epoch', t.epoch,
    'attempts', (SELECT count(*) FROM stopgate.attempts a WHERE a.task_seq = t.seq),
    'events', (SELECT count(*) FROM stopgate.events e WHERE e.task_seq = t.seq AND e.at <= p_before AND NOT stopgate.is_newest(e)),
    'left', (SELECT coalesce(json_agg(jsonb_strip_nulls(jsonb_build_object('epoch', a.epoch, 'branch', a.details->'branch',
        'worktree', a.details->'worktree', 'wipRef', a.details->'wipRef')) ORDER BY a.epoch), '[]')
      FROM stopgate.attempts a WHERE a.task_seq = t.seq AND a.details ?| ARRAY['branch', 'worktree', 'wipRef']))
$$;

-- The window keeps a page from reading all tasks; the newest task stays, as in SQLite.
CREATE OR REPLACE FUNCTION stopgate.prunable(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.now_ms();
  v_limit bigint := coalesce((p->>'limit')::bigint, 1000);
  v_first bigint;
  v_last bigint;
  v_seen bigint;
  v_count bigint;
  v_tasks json;
BEGIN
  SELECT t.seq INTO v_first FROM stopgate.tasks t WHERE t.seq > coalesce((p->>'after')::bigint, 0) ORDER BY t.seq LIMIT 1;
  IF v_first IS NULL THEN
    RETURN json_build_object('type', 'prunable', 'tasks', '[]'::json, 'next', NULL);
  END IF;
  SELECT t.seq INTO v_last FROM stopgate.tasks t ORDER BY t.seq DESC LIMIT 1;
  SELECT count(*), max(x.seq), coalesce(json_agg(stopgate.prunable_view(x.t, v_now - (p->>'olderThanMs')::bigint) ORDER BY x.seq), '[]')
    INTO v_count, v_seen, v_tasks
    FROM (SELECT t.seq, t FROM stopgate.tasks t WHERE t.seq >= v_first AND t.seq < least(v_first + 10000, v_last)
      AND stopgate.may_go(t, p, v_now) ORDER BY t.seq LIMIT v_limit) x;
  IF v_count < v_limit THEN
    v_seen := v_first + 9999;
  END IF;
  RETURN json_build_object('type', 'prunable', 'tasks', v_tasks, 'next', CASE WHEN v_seen < v_last THEN v_seen::text END);
END $$;

-- A task that another transaction is changing is skipped, so this waits for nothing.
CREATE OR REPLACE FUNCTION stopgate.prune(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.admitted_at();
  v_last bigint;
  v_gone bigint[];
  v_ids text[];
  v_attempts bigint;
BEGIN
  SELECT t.seq INTO v_last FROM stopgate.tasks t ORDER BY t.seq DESC LIMIT 1;
  SELECT array_agg(x.seq), array_agg(x.id) INTO v_gone, v_ids FROM (SELECT t.seq, t.id FROM stopgate.tasks t
    WHERE t.id = ANY (stopgate.texts(p->'ids')) AND t.seq < v_last ORDER BY t.seq FOR UPDATE SKIP LOCKED) x;
  -- again, now that nothing can begin to depend on them
  SELECT array_agg(t.seq ORDER BY array_position(stopgate.texts(p->'ids'), t.id)),
      array_agg(t.id ORDER BY array_position(stopgate.texts(p->'ids'), t.id)) INTO v_gone, v_ids
    FROM stopgate.tasks t WHERE t.seq = ANY (v_gone) AND stopgate.may_go(t, p, v_now);
  DELETE FROM stopgate.attempts WHERE task_seq = ANY (v_gone);
  GET DIAGNOSTICS v_attempts = ROW_COUNT;
  DELETE FROM stopgate.bodies WHERE task_seq = ANY (v_gone);
  DELETE FROM stopgate.reviews WHERE task_seq = ANY (v_gone);
  DELETE FROM stopgate.dependencies WHERE task_seq = ANY (v_gone);
  DELETE FROM stopgate.dependencies WHERE depends_on = ANY (v_gone);
  DELETE FROM stopgate.children c USING stopgate.tasks t
    WHERE t.seq = ANY (v_gone) AND c.parent_id = t.parent_id AND c.task_seq = t.seq;
  DELETE FROM stopgate.apart WHERE task_seq = ANY (v_gone);
  DELETE FROM stopgate.tasks WHERE seq = ANY (v_gone);
  RETURN json_build_object('type', 'pruned', 'ids', coalesce(array_to_json(v_ids), '[]'), 'attempts', v_attempts);
END $$;

-- Up to the first event that is not old enough. What a feed may lack is recorded first: the trigger lets nothing else go.
CREATE OR REPLACE FUNCTION stopgate.trim_events(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.admitted_at();
  v_limit bigint := (p->>'limit')::bigint;
  v_xid xid8 := coalesce(split_part(p->>'after', ':', 1), '0')::xid8;
  v_seq bigint := coalesce(split_part(p->>'after', ':', 2), '0')::bigint;
  v_last_xid xid8;
  v_last_seq bigint;
  v_read bigint;
  v_gone bigint;
BEGIN
  SELECT count(*), count(*) FILTER (WHERE x.is_gone), (array_agg(x.xid ORDER BY x.xid DESC, x.seq DESC))[1],
      (array_agg(x.seq ORDER BY x.xid DESC, x.seq DESC))[1] INTO v_read, v_gone, v_last_xid, v_last_seq
    FROM (SELECT e.xid, e.seq, bool_and(e.at <= v_now - (p->>'olderThanMs')::bigint) OVER (ORDER BY e.xid, e.seq) AS is_old,
        e.task_seq IS NULL OR NOT EXISTS (SELECT 1 FROM stopgate.tasks t WHERE t.seq = e.task_seq) AS is_gone
      FROM (SELECT * FROM stopgate.events e WHERE (e.xid, e.seq) > (v_xid, v_seq)
        AND e.xid < pg_snapshot_xmin(pg_current_snapshot()) ORDER BY e.xid, e.seq LIMIT v_limit) e
      WHERE NOT stopgate.is_newest(e)) x WHERE x.is_old;
  IF v_gone > 0 AND NOT coalesce((p->>'dryRun')::boolean, false) THEN
    UPDATE stopgate.meta SET trimmed_xid = v_last_xid, trimmed_seq = v_last_seq
      WHERE (trimmed_xid, trimmed_seq) < (v_last_xid, v_last_seq);
    DELETE FROM stopgate.events e WHERE (e.xid, e.seq) > (v_xid, v_seq) AND (e.xid, e.seq) <= (v_last_xid, v_last_seq)
      AND (e.task_seq IS NULL OR NOT EXISTS (SELECT 1 FROM stopgate.tasks t WHERE t.seq = e.task_seq));
  END IF;
  RETURN json_build_object('type', 'trimmed', 'count', coalesce(v_gone, 0),
    'next', CASE WHEN v_read = v_limit THEN v_last_xid || ':' || v_last_seq END);
END $$;

CREATE OR REPLACE FUNCTION stopgate.note_pruned(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.admitted_at();
BEGIN
  PERFORM stopgate.forget_lanes();
  DELETE FROM stopgate.launches
    WHERE ended_at IS NOT NULL AND requested_at <= v_now - greatest((p->>'olderThanMs')::bigint, 86400000);
  PERFORM stopgate.record_event(v_now, 'store.pruned', (p - 'actor')::json, p_actor => p->>'actor');
  RETURN json_build_object('type', 'noted');
END $$;

CREATE OR REPLACE FUNCTION stopgate.set_policy(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.admitted_at();
  v_value jsonb := jsonb_build_object('keepDoneMs', p->'keepDoneMs', 'dead', coalesce((p->>'dead')::boolean, false));
BEGIN
  IF v_value = coalesce((SELECT value::jsonb FROM stopgate.settings WHERE name = 'policy'), '{"keepDoneMs":null,"dead":false}') THEN
    RETURN json_build_object('type', 'unchanged');
  END IF;
  INSERT INTO stopgate.settings VALUES ('policy', v_value::text) ON CONFLICT (name) DO UPDATE SET value = excluded.value;
  PERFORM stopgate.record_event(v_now, 'store.policySet', json_build_object('keepDoneMs', v_value->'keepDoneMs',
    'dead', v_value->'dead'), p_actor => p->>'actor');
  RETURN json_build_object('type', 'changed');
END $$;

CREATE OR REPLACE FUNCTION stopgate.policy(p jsonb) RETURNS json LANGUAGE sql VOLATILE AS $$
  SELECT json_build_object('type', 'policy', 'now', stopgate.now_ms(), 'keepDoneMs', x.policy->'keepDoneMs', 'dead', x.policy->'dead',
      'lastRunAt', (SELECT value::bigint FROM stopgate.settings WHERE name = 'policyRunAt'))
    FROM (SELECT coalesce((SELECT value::jsonb FROM stopgate.settings WHERE name = 'policy'),
      '{"keepDoneMs":null,"dead":false}') AS policy) x
$$;

CREATE OR REPLACE FUNCTION stopgate.take_policy_turn(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.admitted_at();
BEGIN
  IF EXISTS (SELECT 1 FROM stopgate.settings WHERE name = 'policy' AND value::jsonb->>'keepDoneMs' IS NOT NULL) THEN
    INSERT INTO stopgate.settings AS s VALUES ('policyRunAt', v_now::text) ON CONFLICT (name) DO UPDATE SET value = excluded.value
      WHERE v_now - s.value::bigint >= (p->>'everyMs')::bigint;
    IF FOUND THEN
      RETURN json_build_object('type', 'yours');
    END IF;
  END IF;
  RETURN json_build_object('type', 'notNow');
END $$;
