-- Paused accounts, and leadership.

CREATE OR REPLACE FUNCTION stopgate.pause_account(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.admitted_at();
  v_asked bigint := coalesce((p->'until'->>'at')::bigint, v_now + (p->'until'->>'ms')::bigint);
  v_before bigint;
BEGIN
  IF v_asked > v_now THEN
    INSERT INTO stopgate.accounts VALUES (p->>'key', NULL, p->>'source') ON CONFLICT DO NOTHING;
  END IF;
  SELECT paused_until INTO v_before FROM stopgate.accounts WHERE key = p->>'key' FOR NO KEY UPDATE;
  IF v_before <= v_now THEN
    v_before := NULL;
  END IF;
  IF v_asked <= v_now OR v_before >= v_asked THEN
    RETURN json_build_object('type', 'paused', 'untilAt', coalesce(v_before, v_asked));
  END IF;
  UPDATE stopgate.accounts SET paused_until = v_asked, source = p->>'source' WHERE key = p->>'key';
  PERFORM stopgate.clear('account', p->>'key');
  INSERT INTO stopgate.obstacles (kind, key, whose, until) VALUES ('account', p->>'key', p->>'key', v_asked);
  PERFORM stopgate.record_event(v_now, 'account.paused',
    json_build_object('account', p->>'key', 'pausedUntil', v_asked, 'source', p->>'source'));
  RETURN json_build_object('type', 'paused', 'untilAt', v_asked);
END $$;

CREATE OR REPLACE FUNCTION stopgate.resume_account(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.admitted_at();
BEGIN
  UPDATE stopgate.accounts SET paused_until = NULL WHERE key = p->>'key' AND paused_until > v_now;
  IF NOT FOUND THEN
    RETURN json_build_object('type', 'unchanged');
  END IF;
  PERFORM stopgate.clear('account', p->>'key');
  PERFORM stopgate.record_event(v_now, 'account.resumed', json_build_object('account', p->>'key', 'pausedUntil', NULL));
  RETURN json_build_object('type', 'resumed');
END $$;

CREATE OR REPLACE FUNCTION stopgate.lead(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.admitted_at();
  v_until bigint := v_now + (p->>'ttlMs')::bigint;
  v_leader stopgate.leaders;
  v_epoch bigint;
  v_lease bigint := stopgate.other_lease(p);
BEGIN
  IF v_lease IS NOT NULL THEN
    RETURN json_build_object('type', 'otherLease', 'leaseMs', v_lease);
  END IF;
  INSERT INTO stopgate.leaders VALUES (p->>'name', p->>'holder', 0, 0) ON CONFLICT DO NOTHING;
  SELECT * INTO v_leader FROM stopgate.leaders WHERE name = p->>'name' FOR NO KEY UPDATE;
  IF v_leader.expires_at > v_now AND v_leader.holder <> p->>'holder' THEN
    RETURN json_build_object('type', 'following', 'holder', v_leader.holder, 'epoch', v_leader.epoch,
      'untilAt', v_leader.expires_at);
  END IF;
  v_epoch := v_leader.epoch + (v_leader.expires_at <= v_now)::integer;
  UPDATE stopgate.leaders SET holder = p->>'holder', epoch = v_epoch, expires_at = v_until WHERE name = p->>'name';
  IF v_leader.expires_at <= v_now THEN
    PERFORM stopgate.record_event(v_now, 'leader.elected',
      json_build_object('leader', p->>'name', 'leaderEpoch', v_epoch), p_actor => p->>'holder');
  END IF;
  RETURN json_build_object('type', 'leading', 'epoch', v_epoch, 'untilAt', v_until);
END $$;

CREATE OR REPLACE FUNCTION stopgate.leads(p jsonb, p_now bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM stopgate.leaders WHERE name = p->>'name' AND holder = p->>'holder'
    AND epoch = (p->>'epoch')::bigint AND expires_at > p_now)
$$;

CREATE OR REPLACE FUNCTION stopgate.resign(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.admitted_at();
BEGIN
  UPDATE stopgate.leaders SET expires_at = v_now WHERE name = p->>'name' AND holder = p->>'holder'
    AND epoch = (p->>'epoch')::bigint AND expires_at > v_now;
  IF NOT FOUND THEN
    RETURN json_build_object('type', 'unchanged');
  END IF;
  PERFORM stopgate.record_event(v_now, 'leader.resigned',
    json_build_object('leader', p->>'name', 'leaderEpoch', (p->>'epoch')::bigint), p_actor => p->>'holder');
  RETURN json_build_object('type', 'resigned');
END $$;

CREATE OR REPLACE FUNCTION stopgate.accounts(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.now_ms();
  v_accounts json;
BEGIN
  SELECT coalesce(json_agg(json_build_object('key', key,
    'pausedUntil', CASE WHEN paused_until > v_now THEN paused_until END, 'source', source) ORDER BY key), '[]')
    INTO v_accounts FROM stopgate.accounts;
  RETURN json_build_object('type', 'accounts', 'now', v_now, 'accounts', v_accounts);
END $$;
