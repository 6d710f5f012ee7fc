import type { Task, TaskStatus } from '../session/taskList.ts';
import { available } from '../store/unavailable.ts';
import { ownValue } from '../system/ownValue.ts';
import type { TeamTask } from './readTeam.ts';
import { textOf } from './taskNotes.ts';
import type { TeamContext } from './teamContext.ts';
import { shortIdOf, slotOf } from './teamNames.ts';

const STATUS: Readonly<Partial<Record<TeamTask['state'], TaskStatus>>> = {
  queued: 'pending',
  claimed: 'in_progress',
  verifying: 'in_progress',
  done: 'completed',
};

/** The team's tasks as its agents see them: short ids, both ends of each link, owners. */
export async function viewsOf(context: TeamContext, tasks: readonly TeamTask[], ownerOf: OwnerOf): Promise<Task[]> {
  const shortId = (id: string) => shortIdOf(context.team, id);
  const known = new Set(tasks.map(({ id }) => id));
  return Promise.all(
    tasks.map(async (task): Promise<Task> => {
      const { description, notes } = textOf(task.body);
      const owner = await ownerOf(task);
      return {
        id: shortId(task.id),
        subject: task.title,
        description,
        ...(notes.activeForm === undefined ? {} : { activeForm: notes.activeForm }),
        status: ownValue(STATUS, task.state) ?? 'pending',
        ...(owner === undefined ? {} : { owner }),
        // a task that no longer exists blocks nothing
        blockedBy: task.dependsOn.filter((id) => known.has(id)).map(shortId),
        blocks: tasks.filter(({ dependsOn }) => dependsOn.includes(task.id)).map(({ id }) => shortId(id)),
      };
    }),
  );
}

/** A teammate by name, any other worker by its id. */
export const holderName = (team: string, workerId: string): string => slotOf(team, workerId)?.owner ?? workerId;

type OwnerOf = (task: TeamTask) => Promise<string | undefined>;

/** Who has a task, is to have it, or worked on it last. Cached for done tasks, which no longer change. */
export function owners({ store, team }: TeamContext): OwnerOf {
  const known = new Map<string, string | undefined>();
  return async ({ id, state, holder, body }) => {
    if (holder) return holderName(team, holder.id);
    if (state === 'queued') return textOf(body).notes.owner;
    if (known.has(id)) return known.get(id);
    const last = available(await store.attempts({ taskId: id })).attempts.at(-1);
    const owner = last && holderName(team, last.workerId);
    if (state === 'done') known.set(id, owner);
    return owner;
  };
}
