import type { Task, TaskList } from './taskList.ts';

/** A task list that lives as long as its session. Ids count from "1" and are never used again. */
export function memoryTaskList(): TaskList {
  const tasks = new Map<string, Task>();
  let lastId = 0;
  return {
    async create(words) {
      const id = String(++lastId);
      const task: Task = { id, ...words, status: 'pending', blockedBy: [], blocks: [] };
      tasks.set(id, task);
      return task;
    },
    get: async (id) => tasks.get(id),
    list: async () => [...tasks.values()],
    async update(id, change) {
      const task = tasks.get(id);
      if (!task) return undefined;
      const changed = { ...task, ...change };
      tasks.set(id, changed);
      return changed;
    },
    async delete(id) {
      if (!tasks.delete(id)) return false;
      for (const task of tasks.values()) tasks.set(task.id, without(task, id));
      return true;
    },
  };
}

/** A task that is gone blocks nobody. */
function without(task: Task, id: string): Task {
  const others = (ids: readonly string[]) => ids.filter((other) => other !== id);
  return { ...task, blocks: others(task.blocks), blockedBy: others(task.blockedBy) };
}
