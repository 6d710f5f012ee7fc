-- What the attempts of a task and their judges have used together, and whether a budget is used up. The same as budgets.ts.

-- How long a lost attempt was really worked on is not known, so its time does not count.
CREATE OR REPLACE FUNCTION stopgate.used_ms(p_task bigint, p_from bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(a.ended_at - a.started_at), 0)::bigint FROM stopgate.attempts a
    WHERE a.task_seq = p_task AND a.epoch > p_from AND a.state <> 'lost'
$$;

-- How long an attempt may take: its own limit, or what is left of all of them.
CREATE OR REPLACE FUNCTION stopgate.time_limit(t stopgate.tasks) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF t.total_time_ms IS NULL THEN
    RETURN t.time_budget_ms;
  END IF;
  RETURN least(t.time_budget_ms, greatest(0, t.total_time_ms - stopgate.used_ms(t.seq, t.counted_from)));
END $$;

CREATE OR REPLACE FUNCTION stopgate.dollars(p_usd double precision) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT format('$%s.%s', floor(c.cents / 100)::bigint, lpad((c.cents::bigint % 100)::text, 2, '0'))
    FROM (SELECT floor(p_usd * 100 + 0.5) AS cents) c
$$;

-- The same as formatDuration.ts: `45s`, `3m12s`, `3h05m`, `6.5d`.
CREATE OR REPLACE FUNCTION stopgate.seconds_text(p_ms bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN s.total < 60 THEN format('%ss', s.total)
    WHEN s.total < 3600 THEN format('%sm', s.total / 60)
      || CASE WHEN s.total % 60 > 0 THEN format('%ss', lpad((s.total % 60)::text, 2, '0')) ELSE '' END
    WHEN p_ms >= 172800000 THEN regexp_replace((floor(p_ms / 8640000.0) / 10)::numeric(20, 1)::text, '\.0$', '') || 'd'
    ELSE format('%sh', s.total / 3600)
      || CASE WHEN mod(s.total / 60, 60) > 0 THEN format('%sm', lpad(mod(s.total / 60, 60)::text, 2, '0')) ELSE '' END END
    FROM (SELECT greatest(0, round(p_ms / 1000.0))::bigint AS total) s
$$;

-- The error of a task that has used up a budget, with what its attempt tells about itself now; null when it has not.
CREATE OR REPLACE FUNCTION stopgate.over_budget(h stopgate.held, p_now bigint, p_is_lost boolean, p_details jsonb) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
  t stopgate.tasks;
  v_ms bigint;
  v_tokens double precision;
  v_usd double precision;
  v_what text;
BEGIN
  SELECT * INTO t FROM stopgate.tasks WHERE seq = h.task_seq;
  IF t.total_time_ms IS NULL AND t.token_budget IS NULL AND t.cost_budget_usd IS NULL THEN
    RETURN NULL;
  END IF;
  SELECT coalesce(sum(x.ms), 0), coalesce(sum(x.tokens ORDER BY x.epoch), 0), coalesce(sum(x.usd ORDER BY x.epoch), 0)
    INTO v_ms, v_tokens, v_usd
    FROM (SELECT a.epoch,
        CASE WHEN a.state <> 'lost' AND NOT (p_is_lost AND a.epoch = h.epoch)
          THEN coalesce(a.ended_at, p_now) - a.started_at END AS ms,
        coalesce((d.details->>'tokens')::double precision, 0) + coalesce((d.details->'judge'->>'outputTokens')::double precision, 0) AS tokens,
        coalesce((d.details->>'costUsd')::double precision, 0) + coalesce((d.details->'judge'->>'costUsd')::double precision, 0) AS usd
      FROM stopgate.attempts a CROSS JOIN LATERAL (SELECT CASE WHEN a.epoch = h.epoch
        THEN a.details || coalesce(p_details, '{}') ELSE a.details END AS details) d
      WHERE a.task_seq = h.task_seq AND a.epoch > t.counted_from) x;
  v_what := CASE
    WHEN v_ms >= t.total_time_ms THEN format('%s of %s', stopgate.seconds_text(v_ms), stopgate.seconds_text(t.total_time_ms))
    WHEN v_tokens >= t.token_budget THEN format('%s of %s tokens', v_tokens, t.token_budget)
    WHEN v_usd >= t.cost_budget_usd THEN format('%s of %s', stopgate.dollars(v_usd), stopgate.dollars(t.cost_budget_usd)) END;
  RETURN 'Its budget is used up: ' || v_what || ', over all attempts.';
END $$;
