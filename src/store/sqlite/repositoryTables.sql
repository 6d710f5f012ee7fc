-- Where the code of a task is, and what its first attempt starts from.
ALTER TABLE tasks ADD COLUMN repository TEXT;
ALTER TABLE tasks ADD COLUMN base TEXT;
