-- The work of tasks that are done: whether a person wants it, and how it gets onto a branch.
-- The same functions in the same order as sqlite/operations/reviews.ts.

-- The task is done: work on a branch waits for a person.
CREATE OR REPLACE FUNCTION stopgate.await_review(p_task bigint, p_epoch bigint, p_now bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO stopgate.reviews (task_seq, epoch, state, created_at, updated_at)
    SELECT a.task_seq, a.epoch, 'waiting', p_now, p_now FROM stopgate.attempts a
      WHERE a.task_seq = p_task AND a.epoch = p_epoch AND a.details ? 'branch';
END $$;

-- Where the work of its task begins: an attempt that continues another one brings that work, too.
CREATE OR REPLACE FUNCTION stopgate.work_base(a stopgate.attempts) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN a.details ? 'continuedFrom' THEN coalesce((SELECT b.details->>'baseCommit' FROM stopgate.attempts b
    WHERE b.task_seq = a.task_seq AND b.epoch <= a.epoch AND b.details ? 'branch' AND NOT b.details ? 'continuedFrom'
    ORDER BY b.epoch DESC LIMIT 1), a.details->>'baseCommit') ELSE a.details->>'baseCommit' END
$$;

-- Its work changed something, as far as that is known.
CREATE OR REPLACE FUNCTION stopgate.changed_something(a stopgate.attempts) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce(a.details->>'headCommit' <> stopgate.work_base(a), true)
$$;

CREATE OR REPLACE FUNCTION stopgate.reviews(p jsonb) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_states text[] := coalesce(stopgate.texts(p->'states'), ARRAY['waiting', 'accepted', 'landing', 'returned']);
  v_reviews json;
BEGIN
  SELECT coalesce(json_agg(x.view ORDER BY x.created_at, x.task_seq, x.epoch), '[]') INTO v_reviews FROM (
    SELECT r.created_at, r.task_seq, r.epoch, json_build_object('taskId', t.id, 'epoch', r.epoch, 'attemptId', a.id,
      'state', r.state, 'title', t.title, 'queue', t.queue, 'verify', t.verify, 'repository', r.repository, 'target', r.target,
      'method', r.method, 'reviewedCommit', r.reviewed_commit, 'landedCommit', r.landed_commit, 'reason', r.reason, 'returnTo', r.return_to,
      'actor', r.actor, 'leaderEpoch', r.leader_epoch, 'landingHolder', (SELECT l.holder FROM stopgate.leaders l
        WHERE l.name = 'landing ' || r.repository || ' ' || r.target AND l.expires_at > stopgate.now_ms()), 'createdAt', r.created_at, 'updatedAt', r.updated_at,
      'details', a.details || jsonb_strip_nulls(jsonb_build_object('baseCommit', stopgate.work_base(a))), 'result', a.result, 'startedAt', a.started_at, 'endedAt', a.ended_at) AS view
    FROM stopgate.reviews r JOIN stopgate.attempts a ON a.task_seq = r.task_seq AND a.epoch = r.epoch
      JOIN stopgate.tasks t ON t.seq = r.task_seq
    WHERE r.state = ANY (v_states) AND (p ? 'states' OR r.state NOT IN ('landed', 'proposed', 'rejected'))
      AND (p->>'queue' IS NULL OR t.queue = p->>'queue')
      AND (p->>'taskId' IS NULL OR t.id = p->>'taskId') AND (p->>'repository' IS NULL OR r.repository = p->>'repository')
      AND (p->>'target' IS NULL OR r.target = p->>'target')
      AND stopgate.changed_something(a)
    ORDER BY r.created_at, r.task_seq, r.epoch LIMIT coalesce((p->>'limit')::bigint, 1000)) x;
  RETURN json_build_object('type', 'reviews', 'now', stopgate.now_ms(), 'reviews', v_reviews);
END $$;

-- From one state to another, unless another process was faster.
CREATE OR REPLACE FUNCTION stopgate.change_review(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.admitted_at();
  v_task stopgate.tasks := stopgate.lock_task(p->>'taskId');
  v_epoch bigint := (p->>'epoch')::bigint;
  v_attempt text;
  v_duplicate text;
  r stopgate.reviews;
BEGIN
  SELECT * INTO r FROM stopgate.reviews WHERE task_seq = v_task.seq AND epoch = v_epoch FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN json_build_object('type', 'unknownReview');
  END IF;
  IF p ? 'leader' AND NOT stopgate.leads(p->'leader', v_now) THEN
    RETURN json_build_object('type', 'notLeading');
  END IF;
  IF r.state <> ALL (stopgate.texts(p->'from')) THEN
    RETURN json_build_object('type', 'refused', 'reason', 'state', 'state', r.state);
  END IF;
  IF p ? 'requeue' THEN
    SELECT id INTO v_duplicate FROM stopgate.tasks WHERE live_key = v_task.dedupe_key;
    IF FOUND THEN
      RETURN json_build_object('type', 'refused', 'reason', 'duplicate', 'existingId', v_duplicate);
    END IF;
  END IF;
  UPDATE stopgate.reviews SET state = p->>'to', actor = p->>'actor', leader_epoch = (p->'leader'->>'epoch')::bigint, updated_at = v_now,
    repository = CASE WHEN p ? 'repository' THEN p->>'repository' ELSE repository END,
    target = CASE WHEN p ? 'target' THEN p->>'target' ELSE target END,
    method = CASE WHEN p ? 'method' THEN p->>'method' ELSE method END,
    reviewed_commit = CASE WHEN p ? 'reviewedCommit' THEN p->>'reviewedCommit' ELSE reviewed_commit END,
    landed_commit = CASE WHEN p ? 'landedCommit' THEN p->>'landedCommit' ELSE landed_commit END,
    reason = CASE WHEN p ? 'reason' THEN p->>'reason' ELSE reason END,
    return_to = CASE WHEN p ? 'returnTo' THEN p->>'returnTo' ELSE return_to END
    WHERE task_seq = r.task_seq AND epoch = r.epoch;
  SELECT id INTO v_attempt FROM stopgate.attempts WHERE task_seq = r.task_seq AND epoch = r.epoch;
  PERFORM stopgate.record_event(v_now, 'task.reviewed', json_build_object('review', p->>'to', 'reason', p->>'reason',
    'target', p->>'target', 'landedCommit', p->>'landedCommit'),
    p_task => r.task_seq, p_attempt => v_attempt, p_epoch => r.epoch, p_actor => p->>'actor');
  IF p ? 'requeue' THEN
    PERFORM stopgate.reopen(v_task, v_attempt, p, v_now);
  END IF;
  RETURN json_build_object('type', 'changed', 'state', p->>'to');
END $$;

-- A task that is done is not wanted as it is: its next attempt gets the reason, and continues from its branch.
CREATE OR REPLACE FUNCTION stopgate.reopen(t stopgate.tasks, p_attempt text, p jsonb, p_now bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE stopgate.attempts SET state = 'failed', outcome = 'rejected', error = p->>'reason', checkpoint = p->'requeue'->>'notes',
    checkpoint_at = p_now WHERE task_seq = t.seq AND epoch = (p->>'epoch')::bigint;
  UPDATE stopgate.tasks SET state = 'queued', failures = 0, reclaims = 0, releases = 0, counted_from = epoch, run_at = p_now,
    updated_at = p_now, live_key = dedupe_key, last_error = p->>'reason' WHERE seq = t.seq;
  PERFORM stopgate.put(t.seq);
  PERFORM stopgate.record_event(p_now, 'task.reopened',
    json_build_object('state', 'queued', 'failures', 0, 'reclaims', 0, 'releases', 0, 'runAt', p_now, 'attemptState', 'failed',
      'reason', p->>'reason'), p_task => t.seq, p_attempt => p_attempt, p_epoch => (p->>'epoch')::bigint, p_actor => p->>'actor');
  PERFORM stopgate.unmeet_dependants(p_now, t.seq);
  PERFORM stopgate.hint(t.queue);
END $$;

CREATE OR REPLACE FUNCTION stopgate.review_limits(p jsonb) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_limits json;
BEGIN
  SELECT coalesce(json_agg(json_build_object('queue', l.queue, 'limit', l.most, 'waiting', (
      SELECT count(*) FROM stopgate.reviews r JOIN stopgate.attempts a ON a.task_seq = r.task_seq AND a.epoch = r.epoch
        JOIN stopgate.tasks t ON t.seq = r.task_seq
        WHERE r.state NOT IN ('landed', 'proposed', 'rejected') AND r.state IN ('waiting', 'returned') AND t.queue = l.queue
        AND stopgate.changed_something(a))) ORDER BY l.queue), '[]')
    INTO v_limits FROM stopgate.review_limits l WHERE p->>'queue' IS NULL OR l.queue = p->>'queue';
  RETURN json_build_object('type', 'reviewLimits', 'limits', v_limits);
END $$;

CREATE OR REPLACE FUNCTION stopgate.limit_reviews(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.admitted_at();
  v_limit bigint := (p->>'limit')::bigint;
  v_before bigint;
BEGIN
  SELECT most INTO v_before FROM stopgate.review_limits WHERE queue = p->>'queue' FOR UPDATE;
  IF v_before IS NOT DISTINCT FROM v_limit THEN
    RETURN json_build_object('type', 'unchanged');
  END IF;
  IF v_limit IS NULL THEN
    DELETE FROM stopgate.review_limits WHERE queue = p->>'queue';
  ELSE
    INSERT INTO stopgate.review_limits VALUES (p->>'queue', v_limit) ON CONFLICT (queue) DO UPDATE SET most = excluded.most;
  END IF;
  PERFORM stopgate.record_event(v_now, 'queue.reviewsLimited', json_build_object('queue', p->>'queue', 'limit', v_limit),
    p_actor => p->>'actor');
  RETURN json_build_object('type', 'changed');
END $$;
