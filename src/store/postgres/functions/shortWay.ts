import { COUNT_CAP } from '../../claimTypes.ts';
import { CLAIMED_ROW, HAS_MORE, withMore } from '../claimedOf.ts';
import { AGAIN } from './again.ts';

/**
 * What nearly every claim and every completion is, with as few statements and expressions as it takes: the server sets up
 * each of them anew in every transaction, and that is most of its work. Whatever is not the ordinary case goes the long way,
 * which knows all cases. Locks are taken in the same order, worker before task, and nobody is waited for to find the next one.
 */

/**
 * Where a change is admitted. The first statement of each function has this: it locks the workers before it looks, and a move waits
 * for that lock, so who finds nothing here is done before the move begins. If it has begun, the long way says where to.
 */
const IS_HERE = `NOT EXISTS (SELECT 1 FROM stopgate.obstacles o WHERE o.kind = 'moved')`;

/** What a claim by the worker `w` needs besides: nothing that would have to be done or said first. */
const MAY_CLAIM = `w.state = 'live' AND NOT EXISTS (SELECT 1 FROM stopgate.obstacles o
      WHERE o.since <= v_now AND o.until > v_now AND (o.whose IS NULL OR o.whose = p_queue OR o.whose = w.account_key))`;

/** Where the last event of a task is fed, as `tell` has it. */
const TOLD = 'told = greatest(t.told, pg_current_xact_id())';

/**
 * The first in line, if it is due. SKIP LOCKED: who comes second takes the next task instead of waiting. Nobody else has a lock on
 * the task then, see `places.ts`.
 */
const TAKE_FIRST = `DELETE FROM stopgate.ready WHERE run_at <= v_now AND ctid = (
      SELECT r.ctid FROM stopgate.ready r WHERE r.queue = p_queue
        ORDER BY r.priority, r.run_at, r.task_seq LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING task_seq INTO v_taken;
  IF FOUND THEN
    UPDATE stopgate.tasks t SET state = 'claimed', epoch = t.epoch + 1, attempt_id = p_key, updated_at = v_now, ${TOLD}
      WHERE t.seq = v_taken
      RETURNING t.epoch, t.time_budget_ms, t.told, ${HAS_MORE}, ${CLAIMED_ROW}
      INTO v_epoch, v_budget, v_taken_told, v_has_more, v_claimed;
    IF v_has_more THEN
      v_claimed := (SELECT ${withMore('v_claimed')} FROM stopgate.tasks t WHERE t.seq = v_taken);
    END IF;
  END IF`;

/**
 * Whether it found nothing because there is nothing, or only what others are taking, and how much that is: then all that can be
 * said of the queue is known. At the end of a queue every worker comes here at once, each on a connection for which it is the first
 * time, and the long way would be planned for each of them.
 */
const NOTHING_LEFT = `SELECT count(*), count(*) FILTER (WHERE x.run_at > v_now), min(x.run_at) FILTER (WHERE x.run_at > v_now),
      (SELECT r.task_seq FROM stopgate.ready r WHERE r.queue = p_queue LIMIT 1 FOR UPDATE SKIP LOCKED) IS NULL
        AND NOT EXISTS (SELECT 1 FROM stopgate.apart a WHERE a.queue = p_queue AND a.place = 'waiting')
        AND NOT EXISTS (SELECT 1 FROM stopgate.attempts a WHERE a.id = p_key)
      INTO v_others, v_delayed, v_due_at, v_is_empty
    FROM (SELECT r.run_at FROM stopgate.ready r WHERE r.queue = p_queue LIMIT ${COUNT_CAP}) x`;

const EMPTY = `json_build_object('type', 'empty', 'ready', v_others - v_delayed, 'delayed', v_delayed, 'nextDueAt', v_due_at,
      'blocked', 0, 'held', 0, 'otherType', 0, 'queuePaused', false)`;

const BEGIN_ATTEMPT = `IF p_offer IS NULL THEN
    INSERT INTO stopgate.attempts (task_seq, epoch, id, worker_id, incarnation, state, claimed_at, started_at, deadline_at)
      VALUES (v_taken, v_epoch, p_key, p_worker, p_incarnation, 'active', v_now, v_now, v_now + v_budget);
  ELSE
    INSERT INTO stopgate.attempts (task_seq, epoch, id, worker_id, incarnation, state, claimed_at, offered_at, offer_until)
      VALUES (v_taken, v_epoch, p_key, p_worker, p_incarnation, 'offered', v_now, v_now, v_now + p_offer);
    INSERT INTO stopgate.obstacles (kind, key, since) VALUES ('offer', p_key, v_now + p_offer);
    v_taken_kind := 'task.offered';
    v_taken_change := '{"state":"claimed","attemptState":"offered"}';
  END IF`;

const HELD = `t.id = p_task AND t.state = 'claimed' AND t.epoch = p_epoch AND t.attempt_id = p_attempt`;

const SETTLED_TASK = 'RETURNING t.seq, t.waited_for, t.told INTO v_task, v_waited_for, v_told';

/** Texts that are known beforehand are written out: to put them together took the server as long as to write a row. */
const replyOf = (state: string) => `{"type":"accepted","taskState":"${state}","late":false}`;
const changeOf = (state: string) => `{"state":"${state}","attemptState":"succeeded","late":false}`;
const SETTLED_AS = `v_reply text := '${replyOf('done')}';
  v_change json := '${changeOf('done')}'`;

/** Of a task that is still held, by who holds it: done, or with its verifier. */
const SETTLE = `UPDATE stopgate.tasks t SET state = 'done', live_key = NULL, last_error = NULL, updated_at = v_now, ${TOLD}
    WHERE ${HELD} AND t.verify IS NULL ${SETTLED_TASK};
  IF NOT FOUND THEN
    v_reply := '${replyOf('verifying')}';
    v_change := '${changeOf('verifying')}';
    UPDATE stopgate.tasks t SET state = 'verifying', last_error = NULL, verify_reply = NULL,
      verify_epoch = t.verify_epoch + 1, verify_holder = NULL, verify_until = NULL, updated_at = v_now, ${TOLD}
      WHERE ${HELD} ${SETTLED_TASK};
    IF NOT FOUND THEN
      RAISE EXCEPTION USING ERRCODE = '${AGAIN}';
    END IF;
    INSERT INTO stopgate.apart SELECT t.seq, 'verifying', t.queue, false FROM stopgate.tasks t WHERE t.seq = v_task;
    v_waited_for := false;
  END IF`;

/** One that is only offered has more to clear up. */
const endAttempt = (more: string) => `UPDATE stopgate.attempts a SET state = 'succeeded', outcome = 'completed',
      ended_at = v_now, result = p_result, settled_by = 'complete', reply = v_reply${more}
    WHERE a.task_seq = v_task AND a.epoch = p_epoch AND a.state = 'active'`;
const END_ATTEMPT = `IF p_details IS NULL THEN
    ${endAttempt('')};
  ELSE
    ${endAttempt(', details = a.details || p_details')};
  END IF;
  IF NOT FOUND THEN
    RAISE EXCEPTION USING ERRCODE = '${AGAIN}';
  END IF`;

const TAKEN = 'v_taken_told, v_now, v_taken_kind, v_taken, p_key, p_worker, v_epoch, v_taken_change';
const TAKEN_AS = `v_taken_kind text := 'task.claimed';
  v_taken_change json := '{"state":"claimed","attemptState":"active"}'`;

const SETTLED = `v_told, v_now, 'task.completed', v_task, p_attempt, p_worker, p_epoch, v_change`;

const tell = (
  ...events: readonly string[]
) => `INSERT INTO stopgate.events (xid, at, kind, task_seq, attempt_id, worker_id, epoch, data)
    VALUES ${events.map((event) => `(${event})`).join(', ')}`;

const withNext = (next: string) => `rtrim(v_reply, '}') || ',"next":' || ${next} || '}'`;

const CLAIM_REQUEST = `jsonb_build_object('workerId', p_worker, 'incarnation', p_incarnation, 'claimKey', p_key,
    'queue', p_queue, 'offerMs', p_offer)`;

const COMPLETE_REQUEST = `jsonb_build_object('result', p_result, 'lease', jsonb_build_object('workerId', p_worker,
    'incarnation', p_incarnation, 'attemptId', p_attempt, 'epoch', p_epoch, 'taskId', p_task))
    || CASE WHEN p_details IS NULL THEN '{}' ELSE jsonb_build_object('details', p_details) END`;

export const shortWay = `
CREATE FUNCTION stopgate.claim_next(p_worker text, p_incarnation bigint, p_key text, p_queue text, p_offer bigint)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.now_ms();
  v_taken bigint;
  v_epoch bigint;
  v_budget bigint;
  v_taken_told xid8;
  v_has_more boolean;
  v_claimed text;
  ${TAKEN_AS};
BEGIN
  PERFORM 1 FROM stopgate.workers w WHERE w.id = p_worker AND w.incarnation = p_incarnation AND w.attempt_id IS NULL
    AND w.suspect_at IS NULL AND ${MAY_CLAIM} FOR NO KEY UPDATE;
  IF FOUND THEN
    ${TAKE_FIRST};
  END IF;
  IF v_taken IS NULL THEN
    RETURN stopgate.claim(${CLAIM_REQUEST});
  END IF;
  ${BEGIN_ATTEMPT};
  UPDATE stopgate.workers SET attempt_id = p_key, last_claimed_at = v_now, heartbeat_at = v_now WHERE id = p_worker;
  ${tell(TAKEN)};
  RETURN v_claimed;
END $$;

CREATE FUNCTION stopgate.complete_held(
  p_worker text, p_incarnation bigint, p_attempt text, p_epoch bigint, p_task text, p_result text, p_details jsonb
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.now_ms();
  v_task bigint;
  v_waited_for boolean;
  v_told xid8;
  ${SETTLED_AS};
BEGIN
  UPDATE stopgate.workers w SET attempt_id = NULL, tool_started_at = NULL, last_settled_at = v_now, heartbeat_at = v_now
    WHERE w.id = p_worker AND w.incarnation = p_incarnation AND w.attempt_id = p_attempt AND w.suspect_at IS NULL AND ${IS_HERE};
  IF NOT FOUND THEN
    RETURN stopgate.complete(${COMPLETE_REQUEST});
  END IF;
  ${SETTLE};
  ${END_ATTEMPT};
  ${tell(SETTLED)};
  IF v_waited_for THEN
    PERFORM stopgate.meet_dependants(v_now, v_task);
  END IF;
  RETURN v_reply;
END $$;

CREATE FUNCTION stopgate.complete_and_claim(
  p_worker text, p_incarnation bigint, p_attempt text, p_epoch bigint, p_task text, p_result text, p_details jsonb,
  p_key text, p_queue text, p_offer bigint
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint := stopgate.now_ms();
  v_task bigint;
  v_waited_for boolean;
  v_told xid8;
  ${SETTLED_AS};
  v_taken bigint;
  v_epoch bigint;
  v_budget bigint;
  v_taken_told xid8;
  v_has_more boolean;
  v_claimed text;
  ${TAKEN_AS};
  v_others bigint;
  v_delayed bigint;
  v_due_at bigint;
  v_is_empty boolean;
BEGIN
  UPDATE stopgate.workers w SET attempt_id = p_key, tool_started_at = NULL, last_settled_at = v_now, last_claimed_at = v_now,
    heartbeat_at = v_now
    WHERE w.id = p_worker AND w.incarnation = p_incarnation AND w.attempt_id = p_attempt AND w.suspect_at IS NULL
      AND ${MAY_CLAIM};
  IF NOT FOUND THEN
    RETURN stopgate.complete(${COMPLETE_REQUEST}
      || jsonb_build_object('next', ${CLAIM_REQUEST}));
  END IF;
  ${SETTLE};
  ${END_ATTEMPT};
  -- who waited for it may come before what is first in line now
  IF NOT v_waited_for THEN
    ${TAKE_FIRST};
  END IF;
  IF v_taken IS NULL THEN
    -- what it claimed last is what it has just completed
    UPDATE stopgate.workers w SET attempt_id = NULL, last_claimed_at = a.claimed_at FROM stopgate.attempts a
      WHERE w.id = p_worker AND a.id = p_attempt;
    ${tell(SETTLED)};
    IF v_waited_for THEN
      PERFORM stopgate.meet_dependants(v_now, v_task);
    END IF;
    IF NOT v_waited_for THEN
      ${NOTHING_LEFT};
      IF v_is_empty AND v_others < ${COUNT_CAP} THEN
        RETURN ${withNext(EMPTY)};
      END IF;
    END IF;
    RETURN ${withNext(`stopgate.claim(${CLAIM_REQUEST})`)};
  END IF;
  ${BEGIN_ATTEMPT};
  ${tell(SETTLED, TAKEN)};
  RETURN ${withNext('v_claimed')};
END $$;
`;
