-- Adds a batch that `planBatch` has checked: all of it, or nothing and the reason.

CREATE OR REPLACE FUNCTION stopgate.add_tasks(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
BEGIN
  RETURN stopgate.add_all(p->'tasks', p->>'actor', stopgate.admitted_at());
EXCEPTION WHEN SQLSTATE 'SG002' THEN
  -- what was written before the problem was found has been undone
  RETURN SQLERRM::json;
END $$;

CREATE OR REPLACE FUNCTION stopgate.refuse_batch(p_position bigint, p_problem text, p_reason text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'SG002', MESSAGE = json_build_object('type', 'refused', 'position', p_position,
    'problem', p_problem, 'reason', p_reason)::text;
END $$;

CREATE OR REPLACE FUNCTION stopgate.add_all(p_tasks jsonb, p_actor text, p_now bigint) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_created jsonb;
  v_result json;
  v_queue text;
BEGIN
  WITH asked AS (
    SELECT * FROM ROWS FROM (jsonb_to_recordset(p_tasks) AS (
      id text, queue text, type text, title text, body text, priority integer, "delayMs" bigint, "runAt" bigint,
      "dependsOn" jsonb, "dedupeKey" text, "parentId" text, "maxFailures" integer, "maxReclaims" integer,
      "maxReleases" integer, "backoffMs" bigint, "timeBudgetMs" bigint, "costBudgetUsd" double precision,
      "tokenBudget" bigint, "totalTimeMs" bigint, verify text,
      "holdReason" text, repository text, base text, "concurrencyKey" text, "concurrencyLimit" integer, judge text)) WITH ORDINALITY AS asked (
      id, queue, type, title, body, priority, delay_ms, run_at, depends_on, dedupe_key, parent_id, max_failures,
      max_reclaims, max_releases, backoff_ms, time_budget_ms, cost_budget_usd, token_budget, total_time_ms, verify,
      hold_reason, repository, base, concurrency_key, concurrency_limit, judge, position)
  ), inserted AS (
    INSERT INTO stopgate.tasks (id, queue, type, priority, state, run_at, unmet, max_failures, max_reclaims, max_releases,
      backoff_ms, created_at, updated_at, time_budget_ms, cost_budget_usd, token_budget, total_time_ms, dedupe_key, live_key, parent_id, hold_reason, verify,
      title, body, repository, base, concurrency_key, concurrency_limit, judge)
      SELECT id, queue, type, priority, 'queued', greatest(p_now + delay_ms, run_at, p_now), jsonb_array_length(depends_on),
        max_failures, max_reclaims, max_releases, backoff_ms, p_now, p_now, time_budget_ms, cost_budget_usd, token_budget,
        total_time_ms, dedupe_key,
        dedupe_key, parent_id, hold_reason, verify, title,
        CASE WHEN NOT stopgate.is_long(body) THEN body END, repository, base, concurrency_key, concurrency_limit, judge FROM asked ORDER BY position
      ON CONFLICT DO NOTHING RETURNING seq, id, queue, type, priority, run_at, unmet, hold_reason, parent_id, body, concurrency_key
  ), ready AS (
    INSERT INTO stopgate.ready SELECT seq, stopgate.lane_of(queue, concurrency_key), type, priority, run_at FROM inserted
      WHERE unmet = 0 AND hold_reason IS NULL ORDER BY seq
  ), apart AS (
    INSERT INTO stopgate.apart SELECT seq, 'waiting', queue, hold_reason IS NOT NULL FROM inserted
      WHERE unmet > 0 OR hold_reason IS NOT NULL
  ), children AS (
    INSERT INTO stopgate.children SELECT parent_id, seq FROM inserted WHERE parent_id IS NOT NULL
  ), bodies AS (
    INSERT INTO stopgate.bodies SELECT DISTINCT ON (i.seq) i.seq, a.body FROM inserted i JOIN asked a ON a.id = i.id
      WHERE i.body IS NULL ORDER BY i.seq, a.position
  )
  SELECT coalesce(jsonb_object_agg(id, seq), '{}') INTO v_created FROM inserted;

  PERFORM stopgate.add_dependencies(p_tasks, v_created);
  INSERT INTO stopgate.events (at, kind, task_seq, actor, data)
    SELECT p_now, 'task.added', t.seq, p_actor, json_build_object('state', 'queued', 'runAt', t.run_at,
      'unmetDependencies', t.unmet, 'holdReason', t.hold_reason)
    FROM jsonb_each_text(v_created) c JOIN stopgate.tasks t ON t.seq = c.value::bigint ORDER BY t.seq;

  SELECT json_build_object('type', 'added', 'tasks', coalesce(json_agg(json_build_object(
    'id', coalesce(stopgate.existing_id(task->>'id', task->>'dedupeKey'), task->>'id'),
    'created', v_created ? (task->>'id') AND position = first_position) ORDER BY position), '[]'))
    INTO v_result FROM (SELECT task, position, min(position) OVER (PARTITION BY task->>'id') AS first_position
      FROM jsonb_array_elements(p_tasks) WITH ORDINALITY AS x (task, position)) x;
  FOR v_queue IN SELECT DISTINCT task->>'queue' FROM jsonb_array_elements(p_tasks) AS x (task)
    WHERE task->>'concurrencyKey' IS NOT NULL
  LOOP
    PERFORM stopgate.note_lanes(v_queue);
  END LOOP;
  FOR v_queue IN SELECT DISTINCT task->>'queue' FROM jsonb_array_elements(p_tasks) AS x (task) LOOP
    PERFORM stopgate.hint(v_queue);
  END LOOP;
  RETURN v_result;
END $$;

-- The task that an id or a live dedupe key names.
CREATE OR REPLACE FUNCTION stopgate.existing_id(p_id text, p_dedupe_key text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT id FROM stopgate.tasks WHERE id = p_id), (SELECT id FROM stopgate.tasks
    WHERE live_key = p_dedupe_key))
$$;

-- Makes the completion of these tasks look for the tasks that wait for them. Never reset.
CREATE OR REPLACE FUNCTION stopgate.make_waited_for(p_ids text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM stopgate.lock_tasks(p_ids);
  UPDATE stopgate.tasks SET waited_for = true WHERE id = ANY (p_ids) AND NOT waited_for;
END $$;

-- The tasks that are depended on are locked, in order: none can end between this check and the commit.
CREATE OR REPLACE FUNCTION stopgate.add_dependencies(p_tasks jsonb, p_created jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_task record;
  v_name text;
  v_on stopgate.tasks;
  v_failed boolean;
  v_keys jsonb;
  v_unmet bigint;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM jsonb_array_elements(p_tasks) AS x (task) WHERE jsonb_array_length(task->'dependsOn') > 0) THEN
    RETURN;
  END IF;
  SELECT jsonb_object_agg(task->>'id', stopgate.existing_id(task->>'id', task->>'dedupeKey')) INTO v_keys
    FROM jsonb_array_elements(p_tasks) AS x (task);
  PERFORM stopgate.make_waited_for(array_agg(coalesce(v_keys->>name, name))) FROM jsonb_array_elements(p_tasks) AS x (task),
    jsonb_array_elements_text(task->'dependsOn') AS y (name);
  FOR v_task IN
    SELECT (p_created->>(task->>'id'))::bigint AS seq, task, position - 1 AS position FROM (
      SELECT DISTINCT ON (task->>'id') task, position FROM jsonb_array_elements(p_tasks) WITH ORDINALITY AS x (task, position)
        WHERE p_created ? (task->>'id') ORDER BY task->>'id', position) first ORDER BY position
  LOOP
    CONTINUE WHEN jsonb_array_length(v_task.task->'dependsOn') = 0;
    FOR v_name IN SELECT jsonb_array_elements_text(v_task.task->'dependsOn') LOOP
      SELECT * INTO v_on FROM stopgate.tasks WHERE id = coalesce(v_keys->>v_name, v_name);
      IF NOT FOUND THEN
        PERFORM stopgate.refuse_batch(v_task.position, 'unknownDependency', format('There is no task %s to depend on.', v_name));
      END IF;
      v_failed := v_on.state IN ('dead', 'cancelled');
      IF v_failed AND v_task.task->>'onDependencyFailure' = 'cancel' THEN
        PERFORM stopgate.refuse_batch(v_task.position, 'failedDependency',
          format('Task %s, which it depends on, is %s already.', v_name, v_on.state));
      END IF;
      INSERT INTO stopgate.dependencies VALUES (v_task.seq, v_on.seq, v_task.task->>'onDependencyFailure',
        (v_on.state = 'done' OR (v_failed AND v_task.task->>'onDependencyFailure' = 'run'))::integer) ON CONFLICT DO NOTHING;
    END LOOP;
    SELECT count(*) INTO v_unmet FROM stopgate.dependencies WHERE task_seq = v_task.seq AND met = 0;
    UPDATE stopgate.tasks SET unmet = v_unmet WHERE seq = v_task.seq;
    IF v_unmet = 0 THEN
      PERFORM stopgate.put(v_task.seq);
    END IF;
  END LOOP;
END $$;
