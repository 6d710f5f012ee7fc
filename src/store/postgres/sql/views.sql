-- Rows as the store returns them.

CREATE OR REPLACE FUNCTION stopgate.status(t stopgate.tasks, p_now bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN t.state <> 'queued' THEN t.state
    WHEN t.hold_reason IS NOT NULL THEN 'held'
    WHEN t.unmet > 0 THEN 'blocked'
    WHEN t.run_at > p_now THEN 'delayed'
    ELSE 'ready' END
$$;

CREATE OR REPLACE FUNCTION stopgate.is_long(p_body text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$ SELECT length(p_body) > 250 $$;

CREATE OR REPLACE FUNCTION stopgate.body_of(t stopgate.tasks) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF t.body IS NULL THEN
    SELECT body INTO t.body FROM stopgate.bodies WHERE task_seq = t.seq;
  END IF;
  RETURN coalesce(t.body, '');
END $$;

CREATE OR REPLACE FUNCTION stopgate.task_view(t stopgate.tasks, p_now bigint, p_dependencies json DEFAULT NULL) RETURNS json
LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_result text;
  v_view jsonb;
BEGIN
  IF t.state IN ('done', 'verifying') THEN
    SELECT result INTO v_result FROM stopgate.attempts WHERE task_seq = t.seq AND epoch = t.epoch;
  END IF;
  v_view := jsonb_build_object(
    'id', t.id, 'queue', t.queue, 'type', t.type, 'title', t.title, 'body', stopgate.body_of(t),
    'priority', t.priority, 'state', t.state, 'status', stopgate.status(t, p_now), 'runAt', t.run_at,
    'unmetDependencies', t.unmet, 'epoch', t.epoch, 'attemptId', t.attempt_id, 'failures', t.failures,
    'maxFailures', t.max_failures, 'reclaims', t.reclaims, 'maxReclaims', t.max_reclaims, 'releases', t.releases,
    'maxReleases', t.max_releases, 'backoffMs', t.backoff_ms, 'timeBudgetMs', t.time_budget_ms,
    'costBudgetUsd', t.cost_budget_usd, 'tokenBudget', t.token_budget, 'totalTimeMs', t.total_time_ms,
    'countedFrom', t.counted_from, 'verify', t.verify, 'judge', t.judge, 'verifyHolder', t.verify_holder, 'verifyUntil', t.verify_until, 'dedupeKey', t.dedupe_key, 'parentId', t.parent_id,
    'holdReason', t.hold_reason, 'repository', t.repository, 'base', t.base, 'concurrencyKey', t.concurrency_key, 'concurrencyLimit', t.concurrency_limit, 'result', v_result, 'lastError', t.last_error, 'createdAt', t.created_at,
    'updatedAt', t.updated_at);
  IF p_dependencies IS NOT NULL THEN
    v_view := v_view || jsonb_build_object('dependsOn', p_dependencies);
  END IF;
  RETURN v_view;
END $$;

CREATE OR REPLACE FUNCTION stopgate.attempt_view(a stopgate.attempts, p_task_id text) RETURNS json LANGUAGE sql IMMUTABLE AS $$
  SELECT json_build_object(
    'id', a.id, 'taskId', p_task_id, 'epoch', a.epoch, 'workerId', a.worker_id, 'incarnation', a.incarnation,
    'state', a.state, 'offeredAt', a.offered_at, 'offerUntil', a.offer_until, 'claimedAt', a.claimed_at,
    'startedAt', a.started_at, 'deadlineAt', a.deadline_at, 'extendedMs', a.extended_ms, 'endedAt', a.ended_at,
    'outcome', a.outcome, 'countsAsFailure', a.counts_as_failure = 1, 'checkpoint', a.checkpoint,
    'checkpointAt', a.checkpoint_at, 'details', a.details, 'result', a.result, 'lateResult', a.late_result,
    'error', a.error)
$$;

CREATE OR REPLACE FUNCTION stopgate.lease_view(a stopgate.attempts, p_task_id text) RETURNS json LANGUAGE sql IMMUTABLE AS $$
  SELECT json_build_object(
    'taskId', p_task_id, 'attemptId', a.id, 'epoch', a.epoch, 'workerId', a.worker_id, 'incarnation', a.incarnation)
$$;

-- The lease of what a worker holds.
CREATE OR REPLACE FUNCTION stopgate.lease_of(w stopgate.workers) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT stopgate.lease_view(a, t.id) FROM stopgate.attempts a JOIN stopgate.tasks t ON t.seq = a.task_seq
    WHERE a.id = w.attempt_id
$$;

CREATE OR REPLACE FUNCTION stopgate.worker_view(w stopgate.workers, p_now bigint) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'id', w.id, 'incarnation', w.incarnation, 'kind', w.kind, 'queue', w.queue, 'types', w.types::json,
    'host', w.host, 'pid', w.pid, 'pidStart', w.pid_start, 'sessionId', w.session_id, 'accountKey', w.account_key,
    'idleLimitMs', w.idle_limit_ms, 'state', w.state,
    'status', CASE
      WHEN w.state IN ('stopped', 'lost') THEN w.state
      WHEN w.suspect_at IS NOT NULL THEN 'suspect'
      WHEN w.state <> 'live' THEN w.state
      WHEN w.attempt_id IS NOT NULL THEN 'busy'
      WHEN paused.until IS NOT NULL THEN 'paused'
      ELSE 'idle' END,
    'registeredAt', w.registered_at, 'launchUntil', w.launch_until, 'heartbeatAt', w.heartbeat_at,
    'activityAt', w.activity_at, 'toolStartedAt', w.tool_started_at, 'lastClaimedAt', w.last_claimed_at,
    'lastSettledAt', w.last_settled_at,
    'idleSince', CASE WHEN w.attempt_id IS NULL
      THEN greatest(w.registered_at, w.last_claimed_at, w.last_settled_at) END,
    'suspectAt', w.suspect_at, 'pausedUntil', paused.until, 'stopBlocks', w.stop_blocks,
    'lastBlockReason', w.last_block_reason, 'exitCode', w.exit_code, 'exitReason', w.exit_reason,
    'taskId', held.task_id, 'attemptId', w.attempt_id, 'epoch', held.epoch)
  FROM (SELECT 1) one
  LEFT JOIN LATERAL (SELECT paused_until AS until FROM stopgate.accounts
    WHERE key = w.account_key AND paused_until > p_now) paused ON true
  LEFT JOIN LATERAL (SELECT t.id AS task_id, a.epoch FROM stopgate.attempts a
    JOIN stopgate.tasks t ON t.seq = a.task_seq WHERE a.id = w.attempt_id) held ON true
$$;
