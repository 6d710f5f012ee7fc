import { tooManyReleases, UNCOUNTED_RELEASES } from '../../releaseCounts.ts';

const UNCOUNTED = UNCOUNTED_RELEASES.map((reason) => `'${reason}'`).join(', ');
const TOO_MANY = tooManyReleases(Number.NaN).replace('NaN', '#');

/** Giving back. Stores of version 3 have another one, which counted every reason and told none. */
export const release = `
-- back into the queue, or to the dead ones when that was once too often; the state it has then
CREATE OR REPLACE FUNCTION stopgate.put_back(
  h stopgate.held, p_now bigint, p_counted text, p_run_at bigint, p_error text DEFAULT NULL, p_final boolean DEFAULT false
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_failures integer := h.failures + (p_counted = 'failures')::integer;
  v_reclaims integer := h.reclaims + (p_counted = 'reclaims')::integer;
  v_releases integer := h.releases + (p_counted = 'releases')::integer;
  v_state text := CASE WHEN p_final
    OR (p_counted = 'failures' AND v_failures >= h.max_failures)
    OR (p_counted = 'reclaims' AND v_reclaims >= h.max_reclaims)
    OR (p_counted = 'releases' AND v_releases >= h.max_releases) THEN 'dead' ELSE 'queued' END;
BEGIN
  UPDATE stopgate.tasks SET state = v_state, live_key = stopgate.live_key_of(v_state, dedupe_key), run_at = p_run_at,
    failures = v_failures, reclaims = v_reclaims, releases = v_releases, last_error = coalesce(p_error,
      CASE WHEN v_state = 'dead' AND p_counted = 'releases' THEN replace('${TOO_MANY}', '#', v_releases::text) END, last_error),
    verify_holder = NULL, verify_until = NULL,
    updated_at = p_now WHERE seq = h.task_seq AND epoch = h.epoch;
  PERFORM stopgate.put(h.task_seq);
  IF v_state = 'queued' THEN
    PERFORM stopgate.hint(h.queue);
  END IF;
  RETURN v_state;
END $$;

CREATE OR REPLACE FUNCTION stopgate.release(p jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.now_ms();
  h stopgate.held;
  v_reason text := p->>'reason';
  v_run_at bigint := v_now + coalesce((p->>'delayMs')::bigint, 0);
  v_attempt_state text := CASE WHEN v_reason IN ('rate_limited', 'timed_out') THEN v_reason ELSE 'released' END;
  v_counted text := CASE WHEN v_reason IN (${UNCOUNTED}) THEN 'nothing' ELSE 'releases' END;
  v_releases integer;
  v_state text;
  v_reply json;
BEGIN
  PERFORM stopgate.admit();
  h := stopgate.held_by_lease(p->'lease');
  IF h.settled_by = 'release' THEN
    RETURN h.reply;
  END IF;
  IF stopgate.is_held(h) IS NOT TRUE THEN
    RETURN stopgate.lease_lost(h);
  END IF;
  v_releases := h.releases + (v_counted = 'releases')::integer;
  v_state := stopgate.put_back(h, v_now, v_counted, v_run_at);
  v_reply := stopgate.requeued(v_state, v_run_at);
  PERFORM stopgate.end_attempt(h, v_now, v_attempt_state, v_reason, 'release', v_reply, false, NULL, NULL,
    p->>'checkpoint', p->'details');
  PERFORM stopgate.tell(v_now, 'task.released', h.task_seq, h.attempt_id, h.worker_id, h.epoch, NULL,
    json_build_object('state', v_state, 'runAt', v_run_at, 'releases', v_releases, 'attemptState', v_attempt_state,
      'reason', v_reason));
  IF v_state = 'dead' THEN
    PERFORM stopgate.fail_dependants(v_now, h.task_seq);
  END IF;
  RETURN v_reply;
END $$;
`;
