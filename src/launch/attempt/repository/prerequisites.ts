import type { Store, Task } from '../../../store/types.ts';

/** The accepted work of a task that another one depends on. */
export interface Prerequisite {
  readonly taskId: string;
  readonly branch: string | null;
  readonly commit: string | null;
}

/** Those that were done in the same repository and left a commit or a branch, in the order in which the task names them. */
export async function prerequisitesOf(
  store: Store,
  task: Pick<Task, 'id' | 'repository'>,
): Promise<readonly Prerequisite[]> {
  const asked = await store.task({ id: task.id });
  const dependsOn = asked.type === 'found' ? asked.task.dependsOn : [];
  const found: Prerequisite[] = [];
  for (const { taskId } of dependsOn.filter(({ state }) => state === 'done')) {
    const work = await workOf(store, taskId, task.repository);
    if (work !== null) found.push(work);
  }
  return found;
}

async function workOf(store: Store, taskId: string, repository: string | null): Promise<Prerequisite | null> {
  const [asked, listed] = await Promise.all([store.task({ id: taskId }), store.attempts({ taskId })]);
  if (asked.type !== 'found' || listed.type !== 'attempts' || asked.task.repository !== repository) return null;
  const details = listed.attempts.find(({ id }) => id === asked.task.attemptId)?.details;
  const commit = details?.verifiedCommit ?? details?.headCommit ?? null;
  const branch = details?.branch ?? null;
  return commit === null && branch === null ? null : { taskId, branch, commit };
}
