-- Changes the text, place or budgets of a task, or adds tasks that it waits for.

CREATE OR REPLACE FUNCTION stopgate.amend_task(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.admitted_at();
  v_names jsonb := coalesce(p->'addDependsOn', '[]');
  v_title text;
  v_body text;
  v_task stopgate.tasks;
  v_refusal json;
  v_added bigint[];
  v_unmet bigint;
  v_after stopgate.tasks;
  v_fields jsonb;
BEGIN
  IF jsonb_array_length(v_names) > 0 THEN
    -- two concurrent calls must see each other: each could add one half of a cycle
    PERFORM pg_advisory_xact_lock(hashtext('stopgate.dependencies'), 0);
  END IF;
  PERFORM stopgate.lock_tasks(stopgate.texts(v_names) || (p->>'taskId'));
  SELECT * INTO v_task FROM stopgate.tasks WHERE id = p->>'taskId';
  IF NOT FOUND OR v_task.state IN ('done', 'dead', 'cancelled') THEN
    RETURN stopgate.not_changed(v_task, false);
  END IF;
  v_refusal := stopgate.why_not_linked(v_task.seq, v_names, p->>'onDependencyFailure');
  IF v_refusal IS NOT NULL THEN
    RETURN v_refusal;
  END IF;
  SELECT array_agg(t.seq ORDER BY n.position) INTO v_added
    FROM (SELECT name, min(position) AS position FROM jsonb_array_elements_text(v_names) WITH ORDINALITY AS x (name, position)
      GROUP BY name) n JOIN stopgate.tasks t ON t.id = n.name
    WHERE NOT EXISTS (SELECT 1 FROM stopgate.dependencies d WHERE d.task_seq = v_task.seq AND d.depends_on = t.seq);
  IF v_added IS NOT NULL AND v_task.state <> 'queued' THEN
    RETURN stopgate.not_changed(v_task, false);
  END IF;
  v_title := nullif(p->>'title', v_task.title);
  IF p->>'body' IS DISTINCT FROM stopgate.body_of(v_task) THEN
    v_body := p->>'body';
  END IF;
  v_fields := stopgate.changed_fields(v_task, p);
  IF v_title IS NULL AND v_body IS NULL AND v_added IS NULL AND v_fields = '{}' THEN
    RETURN stopgate.not_changed(v_task, true);
  END IF;
  IF v_body IS NOT NULL THEN
    DELETE FROM stopgate.bodies WHERE task_seq = v_task.seq;
    INSERT INTO stopgate.bodies SELECT v_task.seq, v_body WHERE stopgate.is_long(v_body);
    UPDATE stopgate.tasks SET body = CASE WHEN NOT stopgate.is_long(v_body) THEN v_body END WHERE seq = v_task.seq;
  END IF;
  IF v_added IS NOT NULL THEN
    PERFORM stopgate.make_waited_for((SELECT array_agg(id) FROM stopgate.tasks WHERE seq = ANY (v_added)));
  END IF;
  INSERT INTO stopgate.dependencies SELECT v_task.seq, t.seq, coalesce(p->>'onDependencyFailure', 'wait'),
      (t.state = 'done' OR (t.state IN ('dead', 'cancelled') AND p->>'onDependencyFailure' IS NOT DISTINCT FROM 'run'))::integer
    FROM stopgate.tasks t WHERE t.seq = ANY (v_added);
  SELECT count(*) INTO v_unmet FROM stopgate.dependencies WHERE task_seq = v_task.seq AND met = 0;
  v_after := jsonb_populate_record(v_task, stopgate.in_columns(v_fields));
  UPDATE stopgate.tasks SET title = coalesce(v_title, title), updated_at = v_now, unmet = v_unmet, queue = v_after.queue,
    priority = v_after.priority, time_budget_ms = v_after.time_budget_ms, total_time_ms = v_after.total_time_ms,
    cost_budget_usd = v_after.cost_budget_usd, token_budget = v_after.token_budget, repository = v_after.repository,
    base = v_after.base, judge = v_after.judge,
    concurrency_key = v_after.concurrency_key, concurrency_limit = v_after.concurrency_limit
    WHERE seq = v_task.seq RETURNING * INTO v_task;
  IF v_added IS NOT NULL OR v_fields ?| ARRAY['queue', 'priority', 'concurrencyKey'] THEN
    PERFORM stopgate.put(v_task.seq);
  END IF;
  IF v_fields ? 'queue' AND v_task.state = 'queued' THEN
    PERFORM stopgate.hint(v_task.queue);
  END IF;
  PERFORM stopgate.record_event(v_now, 'task.amended', (jsonb_strip_nulls(jsonb_build_object('title', v_title,
    'bodyChanged', CASE WHEN v_body IS NOT NULL THEN true END, 'addedDependencies', (SELECT string_agg(t.id, ' ' ORDER
    BY array_position(v_added, t.seq)) FROM stopgate.tasks t WHERE t.seq = ANY (v_added)), 'unmetDependencies', CASE
    WHEN v_added IS NOT NULL THEN v_task.unmet END)) || v_fields)::json, p_task => v_task.seq, p_actor => p->>'actor');
  RETURN json_build_object('type', 'amended', 'state', v_task.state, 'unmetDependencies', v_task.unmet);
END $$;

-- The fields of a request that differ from the task's, as they are named in requests.
CREATE OR REPLACE FUNCTION stopgate.changed_fields(t stopgate.tasks, p jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT coalesce(jsonb_object_agg(now.key, p->now.key), '{}') FROM jsonb_each(jsonb_build_object('queue', t.queue,
      'priority', t.priority, 'timeBudgetMs', t.time_budget_ms, 'totalTimeMs', t.total_time_ms,
      'costBudgetUsd', t.cost_budget_usd, 'tokenBudget', t.token_budget, 'repository', t.repository, 'base', t.base,
      'judge', t.judge, 'concurrencyKey', t.concurrency_key,
      'concurrencyLimit', t.concurrency_limit)) now
    WHERE p ? now.key AND p->now.key IS DISTINCT FROM now.value
$$;

CREATE OR REPLACE FUNCTION stopgate.in_columns(p_fields jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(jsonb_object_agg(CASE key WHEN 'timeBudgetMs' THEN 'time_budget_ms' WHEN 'totalTimeMs' THEN 'total_time_ms'
      WHEN 'costBudgetUsd' THEN 'cost_budget_usd' WHEN 'tokenBudget' THEN 'token_budget'
      WHEN 'concurrencyKey' THEN 'concurrency_key' WHEN 'concurrencyLimit' THEN 'concurrency_limit' ELSE key END, value), '{}')
    FROM jsonb_each(p_fields)
$$;

-- Includes met dependencies: a redrive could make any of them count again.
CREATE OR REPLACE FUNCTION stopgate.waits_for(p_task bigint, p_for bigint) RETURNS boolean LANGUAGE sql VOLATILE AS $$
  WITH RECURSIVE reached (seq) AS (
    SELECT p_task UNION SELECT d.depends_on FROM stopgate.dependencies d JOIN reached r ON d.task_seq = r.seq
  ) SELECT EXISTS (SELECT 1 FROM reached WHERE seq = p_for)
$$;

CREATE OR REPLACE FUNCTION stopgate.why_not_linked(p_task bigint, p_names jsonb, p_on_failure text) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_name text;
  v_on stopgate.tasks;
  v_reason text;
BEGIN
  FOR v_name IN SELECT jsonb_array_elements_text(p_names) LOOP
    SELECT * INTO v_on FROM stopgate.tasks WHERE id = v_name;
    v_reason := CASE
      WHEN v_on.seq IS NULL THEN 'unknownDependency'
      WHEN EXISTS (SELECT 1 FROM stopgate.dependencies WHERE task_seq = p_task AND depends_on = v_on.seq) THEN NULL
      WHEN stopgate.waits_for(v_on.seq, p_task) THEN 'cycle'
      WHEN v_on.state IN ('dead', 'cancelled') AND p_on_failure = 'cancel' THEN 'failedDependency' END;
    IF v_reason IS NOT NULL THEN
      RETURN json_build_object('type', 'refused', 'reason', v_reason, 'dependencyId', v_name);
    END IF;
  END LOOP;
  RETURN NULL;
END $$;
