-- Budgets over all attempts of a task; attempts up to `counted_from`, its epoch when it was last redriven, do not count.
ALTER TABLE tasks ADD COLUMN token_budget INTEGER;
ALTER TABLE tasks ADD COLUMN total_time_ms INTEGER;
ALTER TABLE tasks ADD COLUMN counted_from INTEGER NOT NULL DEFAULT 0;
