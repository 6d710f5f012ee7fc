/** A store whose tasks go elsewhere. */
export const moves = `
-- waits for every change that was admitted before, and for those that went the short way
CREATE FUNCTION stopgate.start_move(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('stopgate.move'), 0);
  LOCK TABLE stopgate.workers IN EXCLUSIVE MODE;
  INSERT INTO stopgate.obstacles (kind, key) VALUES ('moved', '');
  UPDATE stopgate.meta SET moved_to = p->>'to';
  PERFORM stopgate.tell(stopgate.now_ms(), 'store.moved', NULL, NULL, NULL, NULL, NULL, json_build_object('to', p->>'to'));
  RETURN json_build_object('type', 'moving');
END $$;

CREATE FUNCTION stopgate.cancel_move(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('stopgate.move'), 0);
  UPDATE stopgate.meta SET moved_to = NULL WHERE moved_to IS NOT NULL;
  IF NOT FOUND THEN
    RETURN json_build_object('type', 'unchanged');
  END IF;
  PERFORM stopgate.clear('moved', '');
  PERFORM stopgate.tell(stopgate.now_ms(), 'store.moveCancelled', NULL, NULL, NULL, NULL, NULL, '{}');
  RETURN json_build_object('type', 'cancelled');
END $$;
`;
