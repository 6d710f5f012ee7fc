import { UserError } from '../../../system/userError.ts';
import { available, type Store, type TaskDetail } from '../../wiring/store/openedStore.ts';

/** Finds a task by its id or the beginning of it. */
export async function findTask(store: Store, id: string): Promise<TaskDetail> {
  if (id.length < 4) throw new UserError(`'${id}' is too short for a task id; write at least four characters of it.`);
  const outcome = available(await store.task({ id }));
  if (outcome.type === 'found') return outcome.task;
  if (outcome.type === 'unknownTask') {
    throw new UserError(`There is no task ${id}; \`stopgate task list\` shows the tasks.`);
  }
  const some = outcome.ids.slice(0, 3).join(', ');
  throw new UserError(
    `Several tasks begin with ${id} (${some}${outcome.ids.length > 3 ? ' …' : ''}); write more of the id.`,
  );
}

export async function findTaskId(store: Store, id: string): Promise<string> {
  return (await findTask(store, id)).id;
}
