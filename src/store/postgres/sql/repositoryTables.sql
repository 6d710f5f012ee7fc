-- A migration: where the code of a task is, and what its first attempt starts from.
ALTER TABLE stopgate.tasks ADD COLUMN IF NOT EXISTS repository text, ADD COLUMN IF NOT EXISTS base text;
