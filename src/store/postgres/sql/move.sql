-- Moving all tasks to another store.

-- Waits for every change that was admitted before, short calls included.
CREATE OR REPLACE FUNCTION stopgate.start_move(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('stopgate.move'), 0);
  LOCK TABLE stopgate.workers IN EXCLUSIVE MODE;
  INSERT INTO stopgate.obstacles (kind, key) VALUES ('moved', '');
  UPDATE stopgate.meta SET moved_to = p->>'to';
  INSERT INTO stopgate.settings AS s VALUES ('movedFrom', p->>'from')
    ON CONFLICT (name) DO UPDATE SET value = s.value || E'\n' || excluded.value;
  PERFORM stopgate.record_event(stopgate.now_ms(), 'store.moved', json_build_object('to', p->>'to'));
  RETURN json_build_object('type', 'moving');
END $$;

CREATE OR REPLACE FUNCTION stopgate.cancel_move(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('stopgate.move'), 0);
  UPDATE stopgate.meta SET moved_to = NULL WHERE moved_to IS NOT NULL;
  IF NOT FOUND THEN
    RETURN json_build_object('type', 'unchanged');
  END IF;
  PERFORM stopgate.clear('moved', '');
  PERFORM stopgate.record_event(stopgate.now_ms(), 'store.moveCancelled', '{}');
  RETURN json_build_object('type', 'cancelled');
END $$;

CREATE OR REPLACE FUNCTION stopgate.about(p jsonb) RETURNS json LANGUAGE sql VOLATILE AS $$
  SELECT json_build_object('type', 'about', 'now', stopgate.now_ms(), 'schemaVersion', version, 'generation', generation,
    'movedTo', moved_to, 'leaseMs', stopgate.recorded_lease(), 'movedFrom',
    coalesce((SELECT to_json(string_to_array(value, E'\n')) FROM stopgate.settings WHERE name = 'movedFrom'), '[]'))
  FROM stopgate.meta
$$;
