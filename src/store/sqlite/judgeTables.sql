-- What a model decides by whether the work of a task does what was asked.
ALTER TABLE tasks ADD COLUMN judge TEXT;
