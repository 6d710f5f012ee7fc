-- Reads.

CREATE OR REPLACE FUNCTION stopgate.task(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_id text := p->>'id';
  v_task stopgate.tasks;
  v_ids json;
  v_dependencies json;
BEGIN
  SELECT * INTO v_task FROM stopgate.tasks WHERE id = v_id;
  IF NOT FOUND AND length(v_id) >= 4 THEN
    SELECT json_agg(x.id) INTO v_ids FROM (SELECT t.id FROM stopgate.tasks t
      WHERE t.id >= v_id AND t.id < v_id || chr(1114111) ORDER BY t.id LIMIT 5) x;
    IF json_array_length(v_ids) > 1 THEN
      RETURN json_build_object('type', 'ambiguous', 'ids', v_ids);
    END IF;
    SELECT * INTO v_task FROM stopgate.tasks WHERE id = v_ids->>0;
  END IF;
  IF v_task.seq IS NULL THEN
    RETURN json_build_object('type', 'unknownTask');
  END IF;
  SELECT coalesce(json_agg(json_build_object('taskId', t.id, 'state', t.state, 'onFailure', d.on_failure,
    'met', d.met = 1) ORDER BY t.seq), '[]') INTO v_dependencies FROM stopgate.dependencies d
    JOIN stopgate.tasks t ON t.seq = d.depends_on WHERE d.task_seq = v_task.seq;
  RETURN json_build_object('type', 'found', 'task', stopgate.task_view(v_task, stopgate.now_ms(), v_dependencies));
END $$;

-- A query for the tasks of a status that reads fewer rows than all of them.
CREATE OR REPLACE FUNCTION stopgate.with_status(p_status text, p_now bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE p_status
    WHEN 'ready' THEN format('SELECT task_seq FROM stopgate.ready WHERE run_at <= %s', p_now)
    WHEN 'delayed' THEN format('SELECT task_seq FROM stopgate.ready WHERE run_at > %s', p_now)
    WHEN 'blocked' THEN 'SELECT task_seq FROM stopgate.apart WHERE place = ''waiting'' AND NOT is_held'
    WHEN 'held' THEN 'SELECT task_seq FROM stopgate.apart WHERE place = ''waiting'' AND is_held'
    -- every claimed task has a worker
    WHEN 'claimed' THEN 'SELECT a.task_seq FROM stopgate.workers w JOIN stopgate.attempts a ON a.id = w.attempt_id'
    ELSE format('SELECT task_seq FROM stopgate.apart WHERE place = %L', p_status) END
$$;

-- Most tasks are done: a request for those reads all tasks in order.
CREATE OR REPLACE FUNCTION stopgate.status_condition(p_statuses text[], p_now bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN 'done' = ANY (p_statuses) THEN format('stopgate.status(tasks, %s) = ANY (%L)', p_now, p_statuses)
    ELSE coalesce('seq IN (' || string_agg(stopgate.with_status(status, p_now), ' UNION ALL ') || ')', 'false') END
    FROM unnest(p_statuses) AS x (status)
$$;

CREATE OR REPLACE FUNCTION stopgate.list_tasks(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.now_ms();
  v_newest boolean := coalesce(p->>'order' = 'newest', false);
  v_limit bigint := coalesce((p->>'limit')::bigint, 100);
  v_where text := 'true';
  v_task stopgate.tasks;
  v_views json[] := '{}';
  v_last text;
  v_next text;
BEGIN
  IF p->>'after' IS NOT NULL THEN
    v_where := v_where || format(' AND seq %s %s', CASE WHEN v_newest THEN '<' ELSE '>' END, (p->>'after')::bigint);
  END IF;
  IF p->>'queue' IS NOT NULL THEN
    v_where := v_where || format(' AND queue = %L', p->>'queue');
  END IF;
  IF p->>'parentId' IS NOT NULL THEN
    v_where := v_where || format(' AND seq IN (SELECT task_seq FROM stopgate.children WHERE parent_id = %L)', p->>'parentId');
  END IF;
  IF jsonb_typeof(p->'types') = 'array' THEN
    v_where := v_where || format(' AND type = ANY (%L)', stopgate.texts(p->'types'));
  END IF;
  IF jsonb_typeof(p->'statuses') = 'array' THEN
    v_where := v_where || ' AND ' || stopgate.status_condition(stopgate.texts(p->'statuses'), v_now);
  END IF;
  FOR v_task IN EXECUTE format('SELECT * FROM stopgate.tasks WHERE %s ORDER BY seq %s LIMIT %s', v_where,
    CASE WHEN v_newest THEN 'DESC' ELSE 'ASC' END, v_limit + 1)
  LOOP
    IF cardinality(v_views) = v_limit THEN
      v_next := v_last;
      EXIT;
    END IF;
    v_views := v_views || stopgate.task_view(v_task, v_now);
    v_last := v_task.seq;
  END LOOP;
  RETURN json_build_object('type', 'tasks', 'tasks', array_to_json(v_views), 'next', v_next);
END $$;

-- What is done is what remains of all: most tasks are, and looking at each of a million takes seconds.
CREATE OR REPLACE FUNCTION stopgate.counts(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.now_ms();
  v_queue text := p->>'queue';
  v_total bigint;
  v_ready bigint;
  v_delayed bigint;
  v_due bigint;
  v_claimed bigint;
  v_apart record;
BEGIN
  IF v_queue IS NULL THEN
    SELECT count(*) INTO v_total FROM stopgate.tasks;
  ELSE
    SELECT count(*) INTO v_total FROM stopgate.tasks t WHERE t.queue = v_queue;
  END IF;
  SELECT count(*) FILTER (WHERE r.run_at <= v_now), count(*) FILTER (WHERE r.run_at > v_now),
    min(r.run_at) FILTER (WHERE r.run_at > v_now) INTO v_ready, v_delayed, v_due
    FROM stopgate.ready r WHERE v_queue IS NULL OR r.queue = v_queue OR (r.queue > v_queue || chr(1) AND r.queue < v_queue || chr(2));
  SELECT count(*) FILTER (WHERE a.place = 'waiting' AND NOT a.is_held) AS blocked,
    count(*) FILTER (WHERE a.place = 'waiting' AND a.is_held) AS held,
    count(*) FILTER (WHERE a.place = 'verifying') AS verifying, count(*) FILTER (WHERE a.place = 'dead') AS dead,
    count(*) FILTER (WHERE a.place = 'cancelled') AS cancelled INTO v_apart
    FROM stopgate.apart a WHERE v_queue IS NULL OR a.queue = v_queue;
  SELECT count(*) INTO v_claimed FROM stopgate.workers w JOIN stopgate.attempts a ON a.id = w.attempt_id
    JOIN stopgate.tasks t ON t.seq = a.task_seq WHERE v_queue IS NULL OR t.queue = v_queue;
  RETURN json_build_object('type', 'counts', 'ready', v_ready, 'delayed', v_delayed, 'blocked', v_apart.blocked,
    'held', v_apart.held, 'claimed', v_claimed, 'verifying', v_apart.verifying,
    'done', v_total - v_ready - v_delayed - v_claimed - v_apart.blocked - v_apart.held - v_apart.verifying - v_apart.dead
      - v_apart.cancelled,
    'dead', v_apart.dead, 'cancelled', v_apart.cancelled, 'nextDueAt', v_due);
END $$;

CREATE OR REPLACE FUNCTION stopgate.attempts(p jsonb) RETURNS json LANGUAGE sql VOLATILE AS $$
  SELECT json_build_object('type', 'attempts', 'attempts',
    coalesce(json_agg(stopgate.attempt_view(a, t.id) ORDER BY a.epoch), '[]'))
    FROM stopgate.tasks t JOIN stopgate.attempts a ON a.task_seq = t.seq WHERE t.id = p->>'taskId'
$$;

CREATE OR REPLACE FUNCTION stopgate.workers(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.now_ms();
  v_workers json;
BEGIN
  SELECT coalesce(json_agg(stopgate.worker_view(w, v_now) ORDER BY w.id), '[]') INTO v_workers FROM stopgate.workers w
    WHERE (p->>'queue' IS NULL OR w.queue = p->>'queue') AND (p->>'workerId' IS NULL OR w.id = p->>'workerId')
      AND (p->>'sessionId' IS NULL OR w.session_id = p->>'sessionId')
      AND (coalesce((p->>'running')::boolean, false) = false OR w.state IN ('launching', 'live', 'draining'));
  RETURN json_build_object('type', 'workers', 'now', v_now, 'workers', v_workers);
END $$;

-- Numbers are drawn before commits, so a reader that remembers the highest number it saw would miss a transaction that commits
-- later with a lower one. All transactions below the oldest running one have ended, so up to there the order is final.
CREATE OR REPLACE FUNCTION stopgate.events(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_newest boolean := coalesce((p->>'newest')::boolean, false);
  v_limit bigint := coalesce((p->>'limit')::bigint, 1000);
  v_xid xid8 := split_part(p->>'after', ':', 1)::xid8;
  v_seq bigint := split_part(p->>'after', ':', 2)::bigint;
  v_task bigint;
  v_where text := 'e.xid < pg_snapshot_xmin(pg_current_snapshot())';
  v_direction text := CASE WHEN v_newest THEN 'DESC' ELSE 'ASC' END;
  v_events json;
  v_missed boolean;
BEGIN
  IF v_xid IS NOT NULL THEN
    v_where := v_where || format(' AND (e.xid, e.seq) %s (%L::xid8, %s)', CASE WHEN v_newest THEN '<' ELSE '>' END, v_xid, v_seq);
  END IF;
  IF p->>'taskId' IS NOT NULL THEN
    SELECT seq INTO v_task FROM stopgate.tasks WHERE id = p->>'taskId';
    v_where := v_where || format(' AND e.task_seq = %s', coalesce(v_task, -1));
  END IF;
  EXECUTE format('SELECT coalesce(json_agg(json_build_object(''cursor'', e.xid || '':'' || e.seq, ''at'', e.at, ''kind'', e.kind,
    ''taskId'', t.id, ''attemptId'', e.attempt_id, ''workerId'', e.worker_id, ''epoch'', e.epoch, ''actor'', e.actor,
    ''data'', e.data) ORDER BY e.xid %1$s, e.seq %1$s), ''[]'')
    FROM (SELECT * FROM stopgate.events e WHERE %2$s ORDER BY e.xid %1$s, e.seq %1$s LIMIT %3$s) e
    LEFT JOIN stopgate.tasks t ON t.seq = e.task_seq', v_direction, v_where, v_limit) INTO v_events;
  -- those of a task are all there
  SELECT p->>'taskId' IS NULL AND (m.trimmed_xid, m.trimmed_seq) > ('0'::xid8, 0) AND coalesce(CASE
      WHEN NOT v_newest THEN (coalesce(v_xid, '0'::xid8), coalesce(v_seq, 0)) < (m.trimmed_xid, m.trimmed_seq)
      ELSE json_array_length(v_events) < v_limit OR (split_part(v_events->-1->>'cursor', ':', 1)::xid8,
        split_part(v_events->-1->>'cursor', ':', 2)::bigint) <= (m.trimmed_xid, m.trimmed_seq) END, true)
    INTO v_missed FROM stopgate.meta m;
  RETURN json_build_object('type', 'events', 'events', v_events, 'missed', v_missed);
END $$;
