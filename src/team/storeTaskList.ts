import { type Task, type TaskList, TaskListError } from '../session/taskList.ts';
import type { NewTask } from '../store/types.ts';
import { available, StoreUnavailableError } from '../store/unavailable.ts';
import { type AskedChange, changeTeamTask } from './changeTeamTask.ts';
import { lookAtTeam, type TeamTask } from './lookAtTeam.ts';
import { bodyOf } from './taskNotes.ts';
import { leaveSlot } from './teamClaims.ts';
import { leaseOf, type TeamContext } from './teamContext.ts';
import { numberedId, numberOf, queueOf, shortIdOf } from './teamNames.ts';
import { lastOwners, viewsOf } from './teamTaskView.ts';

/**
 * A team's tasks, kept in the task store: what one agent starts is claimed there, so that no teammate and no worker can have
 * it at the same time. What the others or the store are in the way of is a `TaskListError`.
 */
export function storeTaskList(context: TeamContext): TaskList {
  const owners = lastOwners(context);
  const look = () => lookAtTeam(context);
  const view = async (tasks: readonly TeamTask[]) => viewsOf(context, tasks, owners);
  const viewOf = async (taskId: string): Promise<Task | undefined> => {
    const shortId = shortIdOf(context.team, taskId);
    return (await view(await look())).find(({ id }) => id === shortId);
  };
  return worded({
    create: async (asked) => {
      const { subject: title, description, activeForm } = asked;
      const taskId = await addNumbered(context, { title, body: bodyOf({ description, notes: { activeForm } }) });
      const created = await viewOf(taskId);
      if (created) return created;
      throw new TaskListError('The task was deleted as soon as it was there.');
    },
    get: async (id) => (await view(await look())).find((task) => task.id === plainId(id)),
    list: async () => view(await look()),
    update: async (id, change) => {
      const tasks = await look();
      const task = find(context, tasks, id);
      if (!task) return undefined;
      await changeTeamTask(context, tasks, { task, change } satisfies AskedChange);
      return viewOf(task.id);
    },
    delete: async (id) => {
      const task = find(context, await look(), id);
      return task ? cancelTask(context, task) : false;
    },
  });
}

/** As tools show ids. */
const plainId = (id: string) => id.replace(/^#/, '');

function find({ team }: TeamContext, tasks: readonly TeamTask[], id: string): TeamTask | undefined {
  return tasks.find((task) => shortIdOf(team, task.id) === plainId(id));
}

/** A team's tasks never end by being given back or by agents that die: nobody would see them any more. */
export const TEAM_TASK = {
  maxReleases: 1_000_000,
  maxReclaims: 1_000,
  backoffMs: 0,
  onDependencyFailure: 'run',
} as const;

/** Tries numbers until one is free: whoever adds a task under its id has it. */
async function addNumbered(context: TeamContext, words: Pick<NewTask, 'title' | 'body'>): Promise<string> {
  const { store, team, name, ids } = context;
  // tells a task that is ours, when an answer was lost and is asked for again, from one that was faster
  const dedupeKey = `teammate:${ids.uuid()}`;
  for (let number = (await highestNumber(context)) + 1; ; number++) {
    const id = numberedId(team, number);
    const task = { ...words, ...TEAM_TASK, id, queue: queueOf(team), dedupeKey };
    const added = available(await store.addTasks({ tasks: [task], actor: name }));
    if (added.type === 'refused') throw new TaskListError(`The task was not added. ${added.reason}`);
    if (added.tasks[0]?.created) return id;
    const before = available(await store.task({ id: added.tasks[0]?.id ?? id }));
    if (before.type === 'found' && before.task.dedupeKey === dedupeKey) return before.task.id;
  }
}

/** Newest first, past what others put into the queue. */
async function highestNumber({ store, team }: TeamContext): Promise<number> {
  for (let after: string | undefined; ; ) {
    const request = { queue: queueOf(team), order: 'newest', limit: 50, after } as const;
    const page = available(await store.listTasks(request));
    const numbers = page.tasks.flatMap(({ id }) => numberOf(team, id) ?? []);
    if (numbers.length > 0 || page.next === null) return Math.max(0, ...numbers);
    after = page.next;
  }
}

async function cancelTask(context: TeamContext, { id, holder }: TeamTask): Promise<boolean> {
  const { store, name: actor, team } = context;
  const outcome = available(await store.cancel({ taskId: id, actor, reason: 'deleted' }));
  const lease = holder && leaseOf(holder);
  if (lease && holder && outcome.type === 'changed') await leaveIfSlot(context, holder.id, lease);
  if (outcome.type !== 'refused') return outcome.type === 'changed';
  throw new TaskListError(`Task #${shortIdOf(team, id)} is completed and stays on record; it cannot be deleted.`);
}

/** Only a teammate's slot ends with its task; a worker goes on. */
async function leaveIfSlot(context: TeamContext, workerId: string, lease: NonNullable<ReturnType<typeof leaseOf>>) {
  if (workerId.startsWith(`${queueOf(context.team)}/`)) await leaveSlot(context, lease, 'cancelled');
}

/** A store that cannot be asked is something the model is told, too. */
function worded(list: TaskList): TaskList {
  const wording =
    <Args extends unknown[], Result>(run: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      try {
        return await run(...args);
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
        throw new TaskListError(`The team's task list is out of reach: ${error.message}`);
      }
    };
  return {
    create: wording(list.create),
    get: wording(list.get),
    list: wording(list.list),
    update: wording(list.update),
    delete: wording(list.delete),
  };
}
