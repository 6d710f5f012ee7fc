-- What could be claimed: the same steps from priority to priority as sqlite/operations/ready.ts.

-- The first entry above a priority, of all types or of the given ones.
CREATE OR REPLACE FUNCTION stopgate.next_head(
  p_queue text, p_types text[], p_above integer, OUT priority integer, OUT run_at bigint, OUT type text
) LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF p_types IS NULL THEN
    SELECT r.priority, r.run_at, NULL INTO priority, run_at, type FROM stopgate.ready r
      WHERE r.queue = p_queue AND r.priority > p_above
      ORDER BY r.priority, r.run_at, r.task_seq LIMIT 1;
  ELSE
    SELECT h.priority, h.run_at, h.type INTO priority, run_at, type FROM unnest(p_types) AS asked (type)
      CROSS JOIN LATERAL (
        SELECT r.priority, r.run_at, r.task_seq, r.type FROM stopgate.ready r
          WHERE r.queue = p_queue AND r.type = asked.type AND r.priority > p_above
          ORDER BY r.priority, r.run_at, r.task_seq LIMIT 1) h
      ORDER BY h.priority, h.run_at, h.task_seq LIMIT 1;
  END IF;
END $$;

CREATE OR REPLACE FUNCTION stopgate.is_paused(p_queue text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM stopgate.queues WHERE name = p_queue AND paused_at IS NOT NULL)
$$;

-- Whether anything is due; if not, when something will be.
CREATE OR REPLACE FUNCTION stopgate.scan_ready(p_queue text, p_types text[], p_now bigint, OUT due boolean, OUT next_due_at bigint)
LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_head record;
  v_above integer := -2147483648;
BEGIN
  LOOP
    SELECT * INTO v_head FROM stopgate.next_head(p_queue, p_types, v_above);
    EXIT WHEN v_head.priority IS NULL OR v_head.run_at <= p_now;
    next_due_at := least(next_due_at, v_head.run_at);
    v_above := v_head.priority;
  END LOOP;
  due := v_head.priority IS NOT NULL;
END $$;

CREATE OR REPLACE FUNCTION stopgate.probe(p jsonb) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_now bigint := stopgate.now_ms();
  v_queue text := coalesce(p->>'queue', 'default');
  v_scan record;
BEGIN
  IF stopgate.is_paused(v_queue) THEN
    RETURN json_build_object('type', 'probe', 'due', false, 'dueInMs', NULL);
  END IF;
  IF stopgate.is_limited(v_queue) THEN
    SELECT * INTO v_scan FROM stopgate.scan_within(v_queue, stopgate.texts(p->'types'), v_now);
  ELSE
    SELECT * INTO v_scan FROM stopgate.scan_ready(v_queue, stopgate.texts(p->'types'), v_now);
  END IF;
  RETURN json_build_object('type', 'probe', 'due', v_scan.due, 'dueInMs', v_scan.next_due_at - v_now);
END $$;

-- Counts the entries of one type, or of all, up to the cap.
CREATE OR REPLACE FUNCTION stopgate.lane(
  p_queue text, p_type text, p_now bigint, OUT ready bigint, OUT delayed bigint, OUT next_due_at bigint
) LANGUAGE plpgsql STABLE AS $$
DECLARE
  c_cap CONSTANT integer := 1000;
  v_head record;
  v_above integer := -2147483648;
  v_types text[] := CASE WHEN p_type IS NOT NULL THEN ARRAY[p_type] END;
  v_count bigint;
  v_next bigint;
BEGIN
  ready := 0;
  delayed := 0;
  LOOP
    SELECT * INTO v_head FROM stopgate.next_head(p_queue, v_types, v_above);
    EXIT WHEN v_head.priority IS NULL;
    v_above := v_head.priority;
    SELECT count(*) INTO v_count FROM (SELECT 1 FROM stopgate.ready r WHERE r.queue = p_queue AND r.priority = v_above
      AND r.run_at <= p_now AND (p_type IS NULL OR r.type = p_type) LIMIT c_cap) x;
    ready := ready + v_count;
    SELECT count(*), min(x.run_at) INTO v_count, v_next FROM (SELECT r.run_at FROM stopgate.ready r
      WHERE r.queue = p_queue AND r.priority = v_above
      AND r.run_at > p_now AND (p_type IS NULL OR r.type = p_type) ORDER BY r.run_at LIMIT c_cap) x;
    delayed := delayed + v_count;
    next_due_at := least(next_due_at, v_next);
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION stopgate.other_types(p_queue text, p_types text[]) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_type text := '';
  v_count bigint;
  v_total bigint := 0;
BEGIN
  LOOP
    SELECT r.type INTO v_type FROM stopgate.ready r WHERE r.queue = p_queue AND r.type > v_type ORDER BY r.type LIMIT 1;
    EXIT WHEN NOT FOUND OR v_total >= 1000;
    CONTINUE WHEN v_type = ANY (p_types);
    SELECT count(*) INTO v_count FROM (SELECT 1 FROM stopgate.ready r WHERE r.queue = p_queue AND r.type = v_type
      LIMIT 1000) x;
    v_total := v_total + v_count;
  END LOOP;
  RETURN least(v_total, 1000);
END $$;

-- The counts of one lane, for all of the given types together.
CREATE OR REPLACE FUNCTION stopgate.lane_counts(
  p_lane text, p_types text[], p_now bigint, OUT ready bigint, OUT delayed bigint, OUT next_due_at bigint, OUT others bigint
) LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(l.ready), 0)::bigint, coalesce(sum(l.delayed), 0)::bigint, min(l.next_due_at),
      CASE WHEN p_types IS NULL THEN 0 ELSE stopgate.other_types(p_lane, p_types) END
    FROM (SELECT DISTINCT unnest(coalesce(p_types, ARRAY[NULL::text])) AS type) asked
    CROSS JOIN LATERAL stopgate.lane(p_lane, asked.type, p_now) l
$$;

CREATE OR REPLACE FUNCTION stopgate.readiness_of(p_type text, p_queue text, p_types text[], p_now bigint) RETURNS json
LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_own record;
  v_keyed record;
  v_free bigint;
  v_ready bigint;
  v_due bigint;
  v_is_limited boolean := stopgate.is_limited(p_queue);
  v_blocked bigint;
  v_held bigint;
BEGIN
  SELECT * INTO v_own FROM stopgate.lane_counts(p_queue, p_types, p_now);
  v_ready := v_own.ready;
  v_due := v_own.ready;
  IF v_is_limited THEN
    FOR v_keyed IN SELECT c.*, f.free FROM stopgate.lanes_of(p_queue) k
      CROSS JOIN LATERAL stopgate.lane_counts(k.lane, p_types, p_now) c
      CROSS JOIN LATERAL stopgate.free_in_lane(k.lane, k.key, p_types, p_now) f (free)
    LOOP
      v_due := v_due + v_keyed.ready;
      v_ready := v_ready + least(v_keyed.ready, v_keyed.free);
      v_own.delayed := v_own.delayed + v_keyed.delayed;
      v_own.next_due_at := least(v_own.next_due_at, v_keyed.next_due_at);
      v_own.others := v_own.others + v_keyed.others;
    END LOOP;
    v_ready := least(v_ready, coalesce(stopgate.free_in_queue(p_queue), v_ready));
  END IF;
  SELECT count(*) INTO v_blocked FROM (SELECT 1 FROM stopgate.apart a WHERE a.queue = p_queue AND a.place = 'waiting'
    AND NOT a.is_held LIMIT 1000) x;
  SELECT count(*) INTO v_held FROM (SELECT 1 FROM stopgate.apart a WHERE a.queue = p_queue AND a.place = 'waiting'
    AND a.is_held LIMIT 1000) x;
  v_ready := least(v_ready, 1000);
  RETURN json_build_object('type', p_type, 'ready', v_ready, 'delayed', least(v_own.delayed, 1000),
    'nextDueAt', v_own.next_due_at, 'blocked', v_blocked, 'held', v_held, 'otherType', least(v_own.others, 1000),
    'queuePaused', stopgate.is_paused(p_queue),
    'limited', CASE WHEN v_is_limited THEN least(1000, v_due - v_ready) ELSE 0 END);
END $$;

CREATE OR REPLACE FUNCTION stopgate.readiness(p jsonb) RETURNS json LANGUAGE sql VOLATILE AS $$
  SELECT stopgate.readiness_of('readiness', coalesce(p->>'queue', 'default'), stopgate.texts(p->'types'), stopgate.now_ms())
$$;
