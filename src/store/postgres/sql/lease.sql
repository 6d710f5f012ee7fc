-- How long a silent worker keeps its task: one value for all machines of the store, or two agents could work on one task.

CREATE OR REPLACE FUNCTION stopgate.recorded_lease() RETURNS bigint LANGUAGE sql VOLATILE AS
  $$ SELECT value::bigint FROM stopgate.settings WHERE name = 'leaseMs' $$;

-- The lease of the store, if the request names another one. The first one that is named becomes that of the store. The lock keeps the
-- lease from being changed before the transaction ends.
CREATE OR REPLACE FUNCTION stopgate.other_lease(p jsonb) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_asked bigint := (p->>'leaseMs')::bigint;
  v_recorded bigint;
BEGIN
  IF v_asked IS NULL THEN
    RETURN NULL;
  END IF;
  PERFORM pg_advisory_xact_lock_shared(hashtext('stopgate.lease'), 0);
  v_recorded := stopgate.recorded_lease();
  IF v_recorded IS NULL THEN
    INSERT INTO stopgate.settings VALUES ('leaseMs', v_asked::text) ON CONFLICT (name) DO NOTHING;
    -- another one may have been first
    v_recorded := stopgate.recorded_lease();
  END IF;
  RETURN nullif(v_recorded, v_asked);
END $$;

-- Not while a worker or coordinator works by the old one.
CREATE OR REPLACE FUNCTION stopgate.set_lease(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.admitted_at();
  v_asked bigint := (p->>'leaseMs')::bigint;
  v_before bigint;
  v_workers text[];
  v_fleets text[];
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('stopgate.lease'), 0);
  v_before := stopgate.recorded_lease();
  IF v_before = v_asked THEN
    RETURN json_build_object('type', 'unchanged');
  END IF;
  SELECT array_agg(id ORDER BY id) INTO v_workers FROM stopgate.workers WHERE kind <> 'manual'
    AND (state IN ('live', 'draining') OR (state = 'launching' AND launch_until > v_now));
  SELECT array_agg(substr(name, 7) ORDER BY name) INTO v_fleets FROM stopgate.leaders
    WHERE name LIKE 'fleet:%' AND expires_at > v_now;
  IF v_workers IS NOT NULL OR v_fleets IS NOT NULL THEN
    RETURN json_build_object('type', 'refused', 'leaseMs', v_before,
      'workers', coalesce(v_workers, '{}'), 'fleets', coalesce(v_fleets, '{}'));
  END IF;
  INSERT INTO stopgate.settings VALUES ('leaseMs', v_asked::text) ON CONFLICT (name) DO UPDATE SET value = excluded.value;
  PERFORM stopgate.record_event(v_now, 'store.leaseSet', json_build_object('leaseMs', v_asked), p_actor => p->>'actor');
  RETURN json_build_object('type', 'changed');
END $$;
