-- Schedules: the same as sqlite/operations/schedules.ts.

CREATE OR REPLACE FUNCTION stopgate.add_schedule(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.admitted_at();
BEGIN
  INSERT INTO stopgate.schedules (id, cron, every_ms, timezone, task, overlap, created_at, next_due_at)
    VALUES (p->>'id', p->>'cron', (p->>'everyMs')::bigint, p->>'timezone', p->>'task', (p->>'overlap')::boolean::integer, v_now,
      (p->>'nextDueAt')::bigint) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    RETURN json_build_object('type', 'unchanged');
  END IF;
  PERFORM stopgate.record_event(v_now, 'schedule.added', json_build_object('schedule', p->>'id', 'title', p->'task'->>'title',
    'nextDueAt', (p->>'nextDueAt')::bigint), p_actor => p->>'actor');
  RETURN json_build_object('type', 'added');
END $$;

CREATE OR REPLACE FUNCTION stopgate.change_schedule(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.admitted_at();
  s stopgate.schedules;
BEGIN
  SELECT * INTO s FROM stopgate.schedules WHERE id = p->>'id' FOR UPDATE;
  IF NOT FOUND THEN
    RETURN json_build_object('type', 'unknownSchedule');
  END IF;
  IF p->>'change' = 'remove' THEN
    DELETE FROM stopgate.schedules WHERE id = s.id;
    PERFORM stopgate.record_event(v_now, 'schedule.removed', json_build_object('schedule', s.id), p_actor => p->>'actor');
  ELSIF (p->>'change' = 'pause') = (s.paused_at IS NOT NULL) THEN
    RETURN json_build_object('type', 'unchanged');
  ELSIF p->>'change' = 'pause' THEN
    UPDATE stopgate.schedules SET paused_at = v_now WHERE id = s.id;
    PERFORM stopgate.record_event(v_now, 'schedule.paused', json_build_object('schedule', s.id), p_actor => p->>'actor');
  ELSE
    UPDATE stopgate.schedules SET paused_at = NULL, next_due_at = coalesce((p->>'nextDueAt')::bigint, next_due_at) WHERE id = s.id;
    PERFORM stopgate.record_event(v_now, 'schedule.resumed', json_build_object('schedule', s.id), p_actor => p->>'actor');
  END IF;
  RETURN json_build_object('type', 'changed');
END $$;

-- A due time belongs to the first call that moves the schedule past it. The lock on its row makes others wait and find it moved.
CREATE OR REPLACE FUNCTION stopgate.fire_schedule(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.admitted_at();
  v_latest bigint := (p->>'latestDueAt')::bigint;
  v_missed bigint := (p->>'missed')::bigint;
  s stopgate.schedules;
  v_before stopgate.tasks;
  v_added json;
  v_id text;
BEGIN
  SELECT * INTO s FROM stopgate.schedules WHERE id = p->>'id' FOR UPDATE;
  IF NOT FOUND OR s.next_due_at <> (p->>'dueAt')::bigint OR s.paused_at IS NOT NULL OR v_latest > v_now
    OR (p->>'nextDueAt')::bigint <= v_latest THEN
    RETURN json_build_object('type', 'superseded');
  END IF;
  IF s.overlap = 0 THEN
    SELECT * INTO v_before FROM stopgate.tasks WHERE id = s.last_task_id AND state NOT IN ('done', 'dead', 'cancelled');
  END IF;
  UPDATE stopgate.schedules SET next_due_at = (p->>'nextDueAt')::bigint, last_due_at = v_latest, missed = missed + v_missed,
    fired = fired + (v_before.seq IS NULL)::integer, skipped = skipped + (v_before.seq IS NOT NULL)::integer WHERE id = s.id;
  IF v_before.seq IS NOT NULL THEN
    PERFORM stopgate.record_event(v_now, 'schedule.skipped', json_build_object('schedule', s.id, 'dueAt', v_latest,
      'missed', v_missed, 'reason', format('task %s of the due time before has not ended', v_before.id)),
      p_task => v_before.seq, p_actor => p->>'actor');
    RETURN json_build_object('type', 'skipped', 'unfinishedId', v_before.id);
  END IF;
  v_added := stopgate.add_all(jsonb_build_array(s.task::jsonb || jsonb_build_object('id', p->>'taskId', 'delayMs', 0, 'runAt', 0)),
    'schedule ' || s.id, v_now);
  v_id := v_added->'tasks'->0->>'id';
  UPDATE stopgate.schedules SET last_task_id = v_id WHERE id = s.id;
  PERFORM stopgate.record_event(v_now, 'schedule.fired', json_build_object('schedule', s.id, 'dueAt', v_latest,
    'missed', v_missed, 'task', v_id), p_actor => p->>'actor');
  RETURN json_build_object('type', 'fired', 'taskId', v_id);
END $$;

CREATE OR REPLACE FUNCTION stopgate.schedules(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.now_ms();
  v_all json;
BEGIN
  SELECT coalesce(json_agg(json_build_object('id', s.id, 'cron', s.cron, 'everyMs', s.every_ms, 'timezone', s.timezone,
      'task', s.task::json, 'overlap', s.overlap = 1, 'createdAt', s.created_at, 'pausedAt', s.paused_at,
      'nextDueAt', s.next_due_at, 'lastDueAt', s.last_due_at, 'lastTaskId', s.last_task_id, 'fired', s.fired,
      'missed', s.missed, 'skipped', s.skipped) ORDER BY s.created_at, s.id), '[]') INTO v_all
    FROM stopgate.schedules s WHERE NOT coalesce((p->>'dueOnly')::boolean, false)
      OR (s.paused_at IS NULL AND s.next_due_at <= v_now);
  RETURN json_build_object('type', 'schedules', 'now', v_now, 'schedules', v_all,
    'nextDueAt', (SELECT min(next_due_at) FROM stopgate.schedules WHERE paused_at IS NULL));
END $$;
