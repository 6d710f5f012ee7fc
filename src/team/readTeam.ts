import { allTasks } from '../store/allTasks.ts';
import type { Task, TaskStatus, Worker } from '../store/types.ts';
import { available } from '../store/unavailable.ts';
import { isProcessGone } from '../system/processLife.ts';
import type { TeamContext } from './teamContext.ts';
import { queueOf, slotOf } from './teamNames.ts';

/** A task with its holder and dependencies. */
export interface TeamTask extends Task {
  readonly holder: Worker | undefined;
  /** Ids in the store. */
  readonly dependsOn: readonly string[];
}

/** Cancelled and dead tasks no longer belong to the team. */
const LISTED: readonly TaskStatus[] = ['ready', 'delayed', 'blocked', 'held', 'claimed', 'verifying', 'done'];

/** The team's tasks in the order they were added, after requeuing those held by teammates that have ended. */
export async function readTeam(context: TeamContext): Promise<TeamTask[]> {
  const workers = await livingWorkers(context);
  const holders = new Map(workers.flatMap((worker) => (worker.taskId === null ? [] : [[worker.taskId, worker]])));
  const tasks = await allTasks(context.store, { queue: queueOf(context.team), statuses: LISTED });
  return Promise.all(
    tasks.map(async (task) => {
      const holder = task.state === 'claimed' ? holders.get(task.id) : undefined;
      return { ...task, holder, dependsOn: await dependenciesOf(context, task) };
    }),
  );
}

async function livingWorkers(context: TeamContext): Promise<Worker[]> {
  const { workers } = available(await context.store.workers({ running: true }));
  const gone = workers.filter(
    (worker) => slotOf(context.team, worker.id) && isProcessGone(worker, context.process.host),
  );
  for (const { id, incarnation } of gone) {
    const evidence = { evidence: 'exited', staleAfterMs: 0, graceMs: 0, reason: 'its teammate has ended' } as const;
    available(await context.store.reap({ workerId: id, incarnation, ...evidence, actor: context.name }));
  }
  return workers.filter((worker) => !gone.includes(worker));
}

/** The dependencies of a done task no longer matter. */
async function dependenciesOf({ store }: TeamContext, { id, state }: Task): Promise<readonly string[]> {
  if (state === 'done') return [];
  const found = available(await store.task({ id }));
  return found.type === 'found' ? found.task.dependsOn.map(({ taskId }) => taskId) : [];
}
