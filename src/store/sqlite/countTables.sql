-- Counting the tasks of a queue must not read the tasks: most are done, and there may be millions. A task keeps its queue from claim to
-- settlement, so only adding a task writes to this index.
CREATE INDEX tasks_by_queue ON tasks (queue);
