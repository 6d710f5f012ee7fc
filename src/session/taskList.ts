export type TaskStatus = 'pending' | 'in_progress' | 'completed';

export interface Task {
  readonly id: string;
  readonly subject: string;
  readonly description: string;
  /** What a status line says while it is worked on. */
  readonly activeForm?: string;
  readonly status: TaskStatus;
  readonly owner?: string;
  readonly blockedBy: readonly string[];
  readonly blocks: readonly string[];
}

/** What an agent set out to do, or a team of them. A list that others share throws `TaskListError` where they are in the way. */
export interface TaskList {
  create(task: Pick<Task, 'subject' | 'description'> & { activeForm?: string }): Promise<Task>;
  get(id: string): Promise<Task | undefined>;
  list(): Promise<readonly Task[]>;
  /** Undefined when there is no such task. */
  update(id: string, change: Partial<Omit<Task, 'id'>>): Promise<Task | undefined>;
  delete(id: string): Promise<boolean>;
}

/** What a shared list could not do, in a sentence that the model is told: somebody has the task, the list is out of reach. */
export class TaskListError extends Error {
  override readonly name = 'TaskListError';
}
