import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileTaskList } from '../session/fileTaskList.ts';
import type { Task } from '../session/taskList.ts';
import type { NewTask } from '../store/types.ts';
import { available } from '../store/unavailable.ts';
import { newClaimKey } from '../system/ids.ts';
import { TEAM_TASK } from './storeTaskList.ts';
import { bodyOf } from './taskNotes.ts';
import { leaveSlot } from './teamClaims.ts';
import type { TeamContext } from './teamContext.ts';
import { numberedId, queueOf, slotId } from './teamNames.ts';

export const NOTE = 'MOVED.txt';

/**
 * Brings the tasks of a team that still has them in files into the store, under the numbers they had. Each step can be done
 * again, by whoever comes after a crash or at the same time; the note that ends it is why it is done once.
 */
export async function takeOverFiles(context: TeamContext, folder: string): Promise<string | undefined> {
  const note = path.join(folder, NOTE);
  if (!existsSync(folder) || existsSync(note)) return undefined;
  const tasks = await fileTaskList(folder).list();
  if (tasks.length === 0) return undefined;
  const linked = await addAll(context, tasks);
  for (const task of tasks) if (task.status === 'completed') await complete(context, task);
  await writeFile(note, noteText(context.team));
  const lost = linked ? '' : ' What waited for what was left out, because it went in a circle.';
  const count = `${tasks.length} task${tasks.length === 1 ? '' : 's'}`;
  return `${count} of team ${context.team} came over from ${folder} into the task store, queue ${queueOf(context.team)}.${lost}`;
}

const noteText = (team: string) =>
  `The tasks of this team are in Stopgate's task store now: \`stopgate task list --queue ${queueOf(team)}\` shows them.\nThe files here are not read any more and can be deleted.\n`;

/** False when their links could not be kept. */
async function addAll(context: TeamContext, tasks: readonly Task[]): Promise<boolean> {
  const add = async (withLinks: boolean) =>
    available(
      await context.store.addTasks({
        tasks: tasks.map((task) => newTask(context.team, tasks, task, withLinks)),
        actor: context.name,
      }),
    );
  if ((await add(true)).type === 'added') return true;
  const added = await add(false);
  if (added.type === 'refused') throw new Error(`Task ${added.position + 1} cannot be taken over: ${added.reason}`);
  return false;
}

/** What was in progress starts anew: no process is known that works on it. */
function newTask(team: string, tasks: readonly Task[], task: Task, withLinks: boolean): NewTask {
  const { id, subject, description, activeForm, owner, blockedBy, status } = task;
  const isThere = (other: string) => tasks.some((known) => known.id === other);
  // what is completed must be claimed to say so, and has nothing to wait for any more
  const waits = withLinks && status !== 'completed' ? blockedBy.filter(isThere) : [];
  return {
    ...TEAM_TASK,
    id: numberedId(team, Number(id)),
    queue: queueOf(team),
    title: subject,
    body: bodyOf({ description, notes: { activeForm, owner } }),
    dependsOn: waits.map((other) => numberedId(team, Number(other))),
  };
}

async function complete(context: TeamContext, { id, owner = 'somebody' }: Task): Promise<void> {
  const { store, team } = context;
  const taskId = numberedId(team, Number(id));
  const workerId = slotId(team, taskId, { owner, by: owner });
  const queue = queueOf(team);
  const registered = available(await store.registerWorker({ workerId, kind: 'manual', queue, ...context.process }));
  if (registered.type !== 'registered') return;
  const by = { workerId, incarnation: registered.incarnation };
  const claimed = available(await store.claim({ ...by, claimKey: newClaimKey(), queue, taskId }));
  // somebody was faster
  if (claimed.type !== 'claimed') return void (await store.stopWorker({ ...by, exitReason: 'claimed nothing' }));
  available(await store.complete({ lease: claimed.lease, result: `Completed by ${owner}.` }));
  await leaveSlot(context, claimed.lease, 'completed');
}
