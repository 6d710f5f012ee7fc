-- A migration: what a model decides by whether the work of a task does what was asked.
ALTER TABLE stopgate.tasks ADD COLUMN IF NOT EXISTS judge text;
