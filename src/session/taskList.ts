export type TaskStatus = 'pending' | 'in_progress' | 'completed';

export interface Task {
  readonly id: string;
  readonly subject: string;
  readonly description: string;
  /** What a status line shows while the task is in progress. */
  readonly activeForm?: string;
  readonly status: TaskStatus;
  readonly owner?: string;
  readonly blockedBy: readonly string[];
  readonly blocks: readonly string[];
}

/** The tasks of an agent or a team. A shared list throws `TaskListError`. */
export interface TaskList {
  create(task: Pick<Task, 'subject' | 'description'> & { activeForm?: string }): Promise<Task>;
  get(id: string): Promise<Task | undefined>;
  list(): Promise<readonly Task[]>;
  /** Undefined when there is no such task. */
  update(id: string, change: Partial<Omit<Task, 'id'>>): Promise<Task | undefined>;
  delete(id: string): Promise<boolean>;
}

/** Why a shared list failed, for the model: another agent has the task, or the list cannot be reached. */
export class TaskListError extends Error {
  override readonly name = 'TaskListError';
}

/** A task list that lives as long as its session. Ids count from "1" and are not reused. */
export function memoryTaskList(): TaskList {
  const tasks = new Map<string, Task>();
  let lastId = 0;
  return {
    async create(fields) {
      const id = String(++lastId);
      const task: Task = { id, ...fields, status: 'pending', blockedBy: [], blocks: [] };
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

/** A deleted task blocks no other. */
function without(task: Task, id: string): Task {
  const others = (ids: readonly string[]) => ids.filter((other) => other !== id);
  return { ...task, blocks: others(task.blocks), blockedBy: others(task.blockedBy) };
}
