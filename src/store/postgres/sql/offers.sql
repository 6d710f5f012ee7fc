-- Offers that were not acknowledged in time.

CREATE OR REPLACE FUNCTION stopgate.take_offer_back(h stopgate.held, p_now bigint) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_state text := stopgate.put_back(h, p_now, 'releases', h.run_at, p_reason => 'offer_expired');
BEGIN
  PERFORM stopgate.end_attempt(h, p_now, 'released', 'offer_expired', NULL, NULL);
  PERFORM stopgate.record_event(p_now, 'task.offerExpired',
    json_build_object('state', v_state, 'runAt', h.run_at, 'releases', h.releases + 1, 'attemptState', 'released'), h);
  PERFORM stopgate.end_dependants(h, p_now, v_state);
  RETURN v_state;
END $$;

-- Skips an offer that another transaction is settling.
CREATE OR REPLACE FUNCTION stopgate.expire_due_offers(p_now bigint) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  v_due record;
  v_count integer := 0;
  h stopgate.held;
BEGIN
  FOR v_due IN
    SELECT a.id, a.worker_id FROM stopgate.obstacles o JOIN stopgate.attempts a ON a.id = o.key
      WHERE o.kind = 'offer' AND o.since <= p_now ORDER BY o.since, a.id
  LOOP
    PERFORM 1 FROM stopgate.workers WHERE id = v_due.worker_id FOR NO KEY UPDATE SKIP LOCKED;
    CONTINUE WHEN NOT FOUND;
    h := stopgate.held_by(v_due.id);
    CONTINUE WHEN h.state <> 'offered';
    PERFORM stopgate.take_offer_back(h, p_now);
    v_count := v_count + 1;
  END LOOP;
  RETURN v_count;
END $$;

CREATE OR REPLACE FUNCTION stopgate.expire_offers(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
BEGIN
  RETURN json_build_object('type', 'expired', 'count', stopgate.expire_due_offers(stopgate.admitted_at()));
END $$;
