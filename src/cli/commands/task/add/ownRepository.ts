import { WORKER } from '../../../../stop/worker/workerIdentity.ts';
import { type Agent, isOwnProcess } from '../../../wiring/standing/standing.ts';
import { available, type NewTask, type Store } from '../../../wiring/store/openedStore.ts';

type Place = Pick<NewTask, 'repository' | 'base'>;

/** The repository of the task that an agent works on; tasks that it adds get the same. Empty when it has none. */
export async function ownRepository(agent: Agent, store: Store): Promise<Place> {
  const supervisor = agent.supervisors.find(({ kind }) => kind === 'worker');
  const workerId = supervisor?.agentEnv?.[WORKER] ?? agent.envWorker;
  if (workerId === null) return {};
  const rows = available(await store.workers({ workerId })).workers;
  const row = rows.find((one) => isOwnProcess(agent, one)) ?? (agent.supervisors.length === 0 ? rows[0] : undefined);
  if (row?.taskId == null) return {};
  const found = available(await store.task({ id: row.taskId }));
  if (found.type !== 'found') return {};
  const { repository, base } = found.task;
  return { ...(repository !== null && { repository }), ...(base !== null && { base }) };
}

/**
 * Workers clone the repository of a task and run what is in it, so an agent may not choose another one. Nor another base: a server may
 * hand out commits of strangers by their ids.
 */
export function whyNotOwnRepository(tasks: readonly Place[], own: Place): string | null {
  const isOther = (name: 'repository' | 'base') =>
    tasks.some((task) => task[name] !== undefined && task[name] !== own[name]);
  if (isOther('repository'))
    return 'An agent may not choose the repository of a task: it gets the one of the task that the agent works on; leave --repo out.';
  return isOther('base')
    ? 'An agent may not choose the base of a task: it gets the one of the task that the agent works on; leave --base out.'
    : null;
}
