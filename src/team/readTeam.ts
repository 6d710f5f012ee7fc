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
const PAGE = 500;

/** The team's tasks in the order they were added, after requeuing those held by teammates that have ended. */
export async function readTeam(context: TeamContext): Promise<TeamTask[]> {
  const workers = await livingWorkers(context);
  const holders = new Map(workers.flatMap((worker) => (worker.taskId === null ? [] : [[worker.taskId, worker]])));
  const tasks = await allTasks(context);
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

async function allTasks({ store, team }: TeamContext): Promise<Task[]> {
  const tasks: Task[] = [];
  for (let after: string | undefined; ; ) {
    const page = available(await store.listTasks({ queue: queueOf(team), statuses: LISTED, limit: PAGE, after }));
    tasks.push(...page.tasks);
    if (page.next === null) return tasks;
    after = page.next;
  }
}

/** The dependencies of a done task no longer matter. */
async function dependenciesOf({ store }: TeamContext, { id, state }: Task): Promise<readonly string[]> {
  if (state === 'done') return [];
  const found = available(await store.task({ id }));
  return found.type === 'found' ? found.task.dependsOn.map(({ taskId }) => taskId) : [];
}
