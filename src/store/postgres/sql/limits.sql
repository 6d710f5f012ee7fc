-- Limits of queues and concurrency keys: the same as sqlite/operations/limits.ts.
--
-- Tasks with a key are in `ready` under the name of their lane, not of their queue, so the short calls do not see them; and a queue
-- with such tasks, or with a limit, has an obstacle, so its claims take the long way. There they are counted and taken one at a
-- time: no claim waits for anything after it has this lock, so none waits for another one forever.

CREATE OR REPLACE FUNCTION stopgate.lane_of(p_queue text, p_key text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_key IS NULL THEN p_queue ELSE p_queue || chr(1) || p_key END
$$;

-- Two concurrent calls may both insert it, which is harmless; the lock keeps `forget_lanes` away until this is committed.
CREATE OR REPLACE FUNCTION stopgate.note_lanes(p_queue text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtext('stopgate.lanes'), 0);
  INSERT INTO stopgate.obstacles (kind, key, whose) SELECT 'lanes', p_queue, p_queue
    WHERE NOT EXISTS (SELECT 1 FROM stopgate.obstacles WHERE kind = 'lanes' AND key = p_queue);
END $$;

-- Queues whose tasks no longer have keys take the short way again. Done by prune; skipped when a task is just being added.
CREATE OR REPLACE FUNCTION stopgate.forget_lanes() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF pg_try_advisory_xact_lock(hashtext('stopgate.lanes'), 0) THEN
    DELETE FROM stopgate.obstacles o WHERE o.kind = 'lanes' AND NOT EXISTS (SELECT 1 FROM stopgate.ready r
      WHERE r.queue > o.key || chr(1) AND r.queue < o.key || chr(2));
  END IF;
END $$;

CREATE OR REPLACE FUNCTION stopgate.is_limited(p_queue text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM stopgate.obstacles WHERE kind IN ('lanes', 'limit') AND key = p_queue)
$$;

-- One step per key, however many tasks it has.
CREATE OR REPLACE FUNCTION stopgate.lanes_of(p_queue text) RETURNS TABLE (lane text, key text) LANGUAGE plpgsql STABLE AS $$
BEGIN
  lane := p_queue || chr(1);
  LOOP
    SELECT r.queue INTO lane FROM stopgate.ready r WHERE r.queue > lane AND r.queue < p_queue || chr(2) ORDER BY r.queue LIMIT 1;
    EXIT WHEN NOT FOUND;
    key := substr(lane, length(p_queue) + 2);
    RETURN NEXT;
  END LOOP;
END $$;

-- Every claimed task has a worker.
CREATE OR REPLACE FUNCTION stopgate.in_progress(p_queue text, p_key text) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT (SELECT count(*) FROM stopgate.workers w JOIN stopgate.attempts a ON a.id = w.attempt_id
      JOIN stopgate.tasks t ON t.seq = a.task_seq
      WHERE (p_queue IS NULL OR t.queue = p_queue) AND (p_key IS NULL OR t.concurrency_key = p_key))
    + (SELECT count(*) FROM stopgate.apart x JOIN stopgate.tasks t ON t.seq = x.task_seq
      WHERE x.place = 'verifying' AND (p_queue IS NULL OR t.queue = p_queue) AND (p_key IS NULL OR t.concurrency_key = p_key))
$$;

-- Null without a limit.
CREATE OR REPLACE FUNCTION stopgate.free_in_queue(p_queue text) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT greatest(0, q.max_claimed - stopgate.in_progress(p_queue, NULL)) FROM stopgate.queues q
    WHERE q.name = p_queue AND q.max_claimed IS NOT NULL
$$;

-- How many more tasks of the key may be claimed, by the limit of its first task that is due; 0 when none is.
CREATE OR REPLACE FUNCTION stopgate.free_in_lane(p_lane text, p_key text, p_types text[], p_now bigint) RETURNS bigint
LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT greatest(0, coalesce(t.concurrency_limit, 1) - stopgate.in_progress(NULL, p_key))
    FROM stopgate.due_head(p_lane, p_types, p_now) h JOIN stopgate.tasks t ON t.seq = h.task_seq), 0)
$$;

-- The first task of a lane that is due, and otherwise when one will be.
CREATE OR REPLACE FUNCTION stopgate.due_head(
  p_lane text, p_types text[], p_now bigint, OUT task_seq bigint, OUT priority integer, OUT run_at bigint, OUT type text,
  OUT next_due_at bigint
) LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_head record;
  v_above integer := -2147483648;
BEGIN
  LOOP
    SELECT * INTO v_head FROM stopgate.next_head(p_lane, p_types, v_above);
    EXIT WHEN v_head.priority IS NULL;
    IF v_head.run_at <= p_now THEN
      priority := v_head.priority;
      SELECT r.task_seq, r.run_at, r.type INTO task_seq, run_at, type FROM stopgate.ready r
        WHERE r.queue = p_lane AND r.priority = v_head.priority AND (p_types IS NULL OR r.type = ANY (p_types))
        ORDER BY r.run_at, r.task_seq LIMIT 1;
      RETURN;
    END IF;
    next_due_at := least(next_due_at, v_head.run_at);
    v_above := v_head.priority;
  END LOOP;
END $$;

-- The lanes of a queue with what no limit keeps back, best first.
CREATE OR REPLACE FUNCTION stopgate.heads_within(p_queue text, p_types text[], p_now bigint)
RETURNS TABLE (lane text, type text, priority integer, next_due_at bigint) LANGUAGE sql STABLE AS $$
  SELECT x.lane, x.type, x.priority, x.next_due_at FROM (
      SELECT p_queue AS lane, h.*, true AS is_free FROM stopgate.due_head(p_queue, p_types, p_now) h
      UNION ALL SELECT k.lane, h.*, stopgate.free_in_lane(k.lane, k.key, p_types, p_now) > 0
        FROM stopgate.lanes_of(p_queue) k CROSS JOIN LATERAL stopgate.due_head(k.lane, p_types, p_now) h) x
    WHERE coalesce(stopgate.free_in_queue(p_queue), 1) > 0 AND (x.task_seq IS NULL OR x.is_free)
    ORDER BY x.priority, x.run_at, x.task_seq
$$;

CREATE OR REPLACE FUNCTION stopgate.scan_within(p_queue text, p_types text[], p_now bigint, OUT due boolean, OUT next_due_at bigint)
LANGUAGE sql STABLE AS $$
  SELECT coalesce(bool_or(h.priority IS NOT NULL), false), min(h.next_due_at)
    FROM stopgate.heads_within(p_queue, p_types, p_now) h
$$;

CREATE OR REPLACE FUNCTION stopgate.take_within(p_queue text, p_types text[], p jsonb, p_now bigint) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_head record;
  v_task bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('stopgate.limits'), 0);
  FOR v_head IN SELECT * FROM stopgate.heads_within(p_queue, p_types, p_now) h WHERE h.priority IS NOT NULL LOOP
    v_task := stopgate.pull(v_head.lane, CASE WHEN p_types IS NULL THEN NULL ELSE v_head.type END, v_head.priority, p_now);
    IF v_task IS NOT NULL THEN
      RETURN stopgate.take(v_task, p, p_now);
    END IF;
  END LOOP;
  RETURN NULL;
END $$;

-- Whether a limit keeps a task back that is otherwise ready. The caller claims it if not, so this waits for other claims.
CREATE OR REPLACE FUNCTION stopgate.is_kept_back(t stopgate.tasks) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF t.concurrency_key IS NULL AND NOT stopgate.is_limited(t.queue) THEN
    RETURN false;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('stopgate.limits'), 0);
  RETURN coalesce(stopgate.free_in_queue(t.queue), 1) <= 0 OR (t.concurrency_key IS NOT NULL
    AND stopgate.in_progress(NULL, t.concurrency_key) >= coalesce(t.concurrency_limit, 1));
END $$;

-- Other workers may claim a task now that a limit kept back: of the queue, or of the key in any queue.
CREATE OR REPLACE FUNCTION stopgate.hint_limited(p_task bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_queue text;
BEGIN
  FOR v_queue IN SELECT o.key FROM stopgate.tasks t JOIN stopgate.obstacles o
    ON (o.kind = 'limit' AND o.key = t.queue) OR (o.kind = 'lanes' AND t.concurrency_key IS NOT NULL) WHERE t.seq = p_task
  LOOP
    PERFORM stopgate.hint(v_queue);
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION stopgate.limit_queue(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.admitted_at();
BEGIN
  INSERT INTO stopgate.queues (name) VALUES (p->>'queue') ON CONFLICT DO NOTHING;
  UPDATE stopgate.queues SET max_claimed = (p->>'limit')::integer
    WHERE name = p->>'queue' AND max_claimed IS DISTINCT FROM (p->>'limit')::integer;
  IF NOT FOUND THEN
    RETURN json_build_object('type', 'unchanged');
  END IF;
  PERFORM stopgate.clear('limit', p->>'queue');
  IF p->>'limit' IS NOT NULL THEN
    INSERT INTO stopgate.obstacles (kind, key, whose) VALUES ('limit', p->>'queue', p->>'queue');
  END IF;
  PERFORM stopgate.record_event(v_now, 'queue.limited',
    json_build_object('queue', p->>'queue', 'limit', (p->>'limit')::integer), p_actor => p->>'actor');
  PERFORM stopgate.hint(p->>'queue');
  RETURN json_build_object('type', 'changed');
END $$;

CREATE OR REPLACE FUNCTION stopgate.limits(p jsonb) RETURNS json LANGUAGE sql VOLATILE AS $$
  SELECT json_build_object('type', 'limits',
    'queues', (SELECT coalesce(json_agg(json_build_object('queue', q.name, 'limit', q.max_claimed,
        'inProgress', stopgate.in_progress(q.name, NULL)) ORDER BY q.name), '[]')
      FROM stopgate.queues q WHERE q.max_claimed IS NOT NULL),
    'keys', (SELECT coalesce(json_agg(json_build_object('key', x.key, 'inProgress', x.count) ORDER BY x.key), '[]')
      FROM (SELECT t.concurrency_key COLLATE "C" AS key, count(*) AS count FROM stopgate.tasks t WHERE t.concurrency_key IS NOT NULL
        AND t.seq IN (SELECT a.task_seq FROM stopgate.workers w JOIN stopgate.attempts a ON a.id = w.attempt_id
          UNION ALL SELECT task_seq FROM stopgate.apart WHERE place = 'verifying') GROUP BY 1) x))
$$;
