/**
 * How operations are planned. A plan is made once per connection and kept, so one that was made while a table was nearly empty
 * would read it from end to end long after it has grown; and where the server doubts whether a plan for all values is good
 * enough, it makes one for each call, which costs more than running it. Every statement here has its index, so neither is
 * left to chance. Reads that are made to look at everything are not in the list.
 */
export const plans = `
DO $plans$
DECLARE
  v_operation regprocedure;
BEGIN
  FOR v_operation IN
    SELECT p.oid::regprocedure FROM pg_proc p JOIN pg_class c ON c.relnamespace = p.pronamespace
      WHERE c.oid = 'stopgate.tasks'::regclass AND (p.proname IN ('claim_next', 'complete_held', 'complete_and_claim')
        OR (p.proargtypes = '3802'::oidvector AND (p.provolatile = 'v' OR p.proname = 'probe')
          AND p.prolang = (SELECT oid FROM pg_language WHERE lanname = 'plpgsql')))
  LOOP
    EXECUTE format('ALTER FUNCTION %s SET enable_seqscan = off', v_operation);
    EXECUTE format('ALTER FUNCTION %s SET plan_cache_mode = force_generic_plan', v_operation);
  END LOOP;
END $plans$;
`;
