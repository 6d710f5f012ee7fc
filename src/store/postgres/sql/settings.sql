-- The settings of every function that the store calls. They apply to the functions that these call, too.
--
-- search_path: no object of another schema can take the place of a built-in one.
-- enable_seqscan and plan_cache_mode: a plan is made once per connection and kept, so one that was made while a table was nearly
-- empty would still read it from end to end after it has grown; and where the server is not sure that one plan is good for all
-- values, it plans every call, which costs more than running it. Every statement of these functions has its index. Reads that are
-- meant to look at everything keep the server's choice.
--
-- jit: without sequential scans, a plan that reads a small table without an index looks as expensive as any can, so a server with a
-- just-in-time compiler compiled it at every call, which took 50 times as long as running it. Set here and not for a connection:
-- poolers refuse startup parameters that they do not know, and give a connection to others.
DO $settings$
DECLARE
  v_operation record;
BEGIN
  FOR v_operation IN
    SELECT p.oid::regprocedure AS name, p.prorettype = 'text'::regtype
        OR (l.lanname = 'plpgsql' AND (p.provolatile = 'v' OR p.proname = 'probe')) AS is_planned
      FROM pg_proc p JOIN pg_class c ON c.relnamespace = p.pronamespace JOIN pg_language l ON l.oid = p.prolang
      WHERE c.oid = 'stopgate.tasks'::regclass AND (p.proname IN ('claim_next', 'complete_and_claim', 'refuse_change')
        -- one argument, the request as jsonb
        OR (p.proargtypes = '3802'::oidvector AND p.prorettype = 'json'::regtype))
  LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = pg_catalog, pg_temp', v_operation.name);
    EXECUTE format('ALTER FUNCTION %s SET jit = off', v_operation.name);
    IF v_operation.is_planned THEN
      EXECUTE format('ALTER FUNCTION %s SET enable_seqscan = off', v_operation.name);
      EXECUTE format('ALTER FUNCTION %s SET plan_cache_mode = force_generic_plan', v_operation.name);
    END IF;
  END LOOP;
END $settings$;
