-- A migration: budgets over all attempts of a task. Attempts up to `counted_from`, its epoch when it was last redriven, do not count.
ALTER TABLE stopgate.tasks ADD COLUMN IF NOT EXISTS token_budget bigint, ADD COLUMN IF NOT EXISTS total_time_ms bigint,
  ADD COLUMN IF NOT EXISTS counted_from bigint NOT NULL DEFAULT 0;

-- It has more parameters now: the old function beside the new one would make every call of it ambiguous.
DROP FUNCTION IF EXISTS stopgate.put_back(stopgate.held, bigint, text, bigint, text, boolean);
