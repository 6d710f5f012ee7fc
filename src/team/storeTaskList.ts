import { type Task, type TaskList, TaskListError } from '../session/taskList.ts';
import { leaseOf } from '../store/leaseOf.ts';
import { openStore } from '../store/openStore.ts';
import type { StorePlace } from '../store/storePlace.ts';
import type { NewTask } from '../store/types.ts';
import { available, StoreUnavailableError } from '../store/unavailable.ts';
import { systemIds } from '../system/ids.ts';
import { thisProcess } from '../system/processLife.ts';
import { changeTeamTask } from './changeTeamTask.ts';
import { readTeam, type TeamTask } from './readTeam.ts';
import { bodyOf } from './taskNotes.ts';
import { leaveSlot, releaseAll } from './teamClaims.ts';
import type { TeamContext } from './teamContext.ts';
import { numberedId, numberOf, queueOf, shortIdOf, slotOf } from './teamNames.ts';
import { owners, viewsOf } from './teamTaskView.ts';

export interface TeamListOptions {
  readonly team: string;
  readonly name: string;
  readonly sessionId: string;
  readonly place: StorePlace;
  warn(sentence: string): void;
}

export interface OpenTeamList {
  readonly list: TaskList;
  /** Releases the tasks that this process still holds. */
  close(): Promise<void>;
}

export async function openTeamList(options: TeamListOptions): Promise<OpenTeamList> {
  const { team, name, sessionId, place, warn } = options;
  const store = await openStore(place, { connections: 4 });
  if ('type' in store) throw new TaskListError(`The team's task list cannot be reached: ${store.reason}`);
  const context = { store, team, name, sessionId, process: thisProcess(), ids: systemIds };
  const close = async () => {
    try {
      await releaseAll(context);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      warn(`The tasks of ${name} could not be released: ${error.message}`);
    } finally {
      await store.close();
    }
  };
  return { list: storeTaskList(context), close };
}

/**
 * A team's tasks in the task store: a task that an agent starts is claimed there, so that no teammate or worker can have it
 * at the same time. A conflict or an unreachable store is a `TaskListError`.
 */
export function storeTaskList(context: TeamContext): TaskList {
  const ownerOf = owners(context);
  const view = (tasks: readonly TeamTask[]) => viewsOf(context, tasks, ownerOf);
  const viewOf = async (taskId: string): Promise<Task | undefined> => {
    const shortId = shortIdOf(context.team, taskId);
    return (await view(await readTeam(context))).find(({ id }) => id === shortId);
  };
  return withStoreErrors({
    create: async ({ subject: title, description, activeForm }) => {
      const taskId = await addNumbered(context, { title, body: bodyOf({ description, notes: { activeForm } }) });
      const created = await viewOf(taskId);
      if (created) return created;
      throw new TaskListError('The task was deleted right after it was created.');
    },
    get: async (id) => (await view(await readTeam(context))).find((task) => task.id === plainId(id)),
    list: async () => view(await readTeam(context)),
    update: async (id, change) => {
      const tasks = await readTeam(context);
      const task = find(context, tasks, id);
      if (!task) return undefined;
      await changeTeamTask(context, tasks, { task, change });
      return viewOf(task.id);
    },
    delete: async (id) => {
      const task = find(context, await readTeam(context), id);
      return task ? cancelTask(context, task) : false;
    },
  });
}

/** Tools show ids with a #. */
const plainId = (id: string) => id.replace(/^#/, '');

function find({ team }: TeamContext, tasks: readonly TeamTask[], id: string): TeamTask | undefined {
  return tasks.find((task) => shortIdOf(team, task.id) === plainId(id));
}

/** A team's tasks must not die of releases or lost agents: they would disappear from its list. */
const TEAM_TASK = {
  maxReleases: 1_000_000,
  maxReclaims: 1_000,
  backoffMs: 0,
  onDependencyFailure: 'run',
} as const;

/** Tries numbers until one is free: the first to add a task under its id has it. */
async function addNumbered(context: TeamContext, text: Pick<NewTask, 'title' | 'body'>): Promise<string> {
  const { store, team, name, ids } = context;
  // distinguishes our own task, after a lost response and a retry, from a teammate's that came first
  const dedupeKey = `teammate:${ids.uuid()}`;
  for (let number = (await highestNumber(context)) + 1; ; number++) {
    const id = numberedId(team, number);
    const task = { ...text, ...TEAM_TASK, id, queue: queueOf(team), dedupeKey };
    const added = available(await store.addTasks({ tasks: [task], actor: name }));
    if (added.type === 'refused') throw new TaskListError(`The task was not added. ${added.reason}`);
    if (added.tasks[0]?.created) return id;
    const before = available(await store.task({ id: added.tasks[0]?.id ?? id }));
    if (before.type === 'found' && before.task.dedupeKey === dedupeKey) return before.task.id;
  }
}

/** Newest first, skipping tasks that did not come from the team. */
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
  // only a teammate's slot ends with its task; a worker continues
  const isTeammate = holder !== undefined && slotOf(team, holder.id) !== undefined;
  if (lease && isTeammate && outcome.type === 'changed') await leaveSlot(context, lease, 'cancelled');
  if (outcome.type !== 'refused') return outcome.type === 'changed';
  throw new TaskListError(`Task #${shortIdOf(team, id)} is completed and cannot be deleted.`);
}

/** Reports an unreachable store to the model. */
function withStoreErrors(list: TaskList): TaskList {
  const guarded =
    <Args extends unknown[], Result>(run: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      try {
        return await run(...args);
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
        throw new TaskListError(`The team's task list cannot be reached: ${error.message}`);
      }
    };
  return {
    create: guarded(list.create),
    get: guarded(list.get),
    list: guarded(list.list),
    update: guarded(list.update),
    delete: guarded(list.delete),
  };
}
