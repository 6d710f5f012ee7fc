import { TaskListError } from '../session/taskList.ts';
import { leaseOf } from '../store/leaseOf.ts';
import type { Lease, Outcomes, Worker } from '../store/types.ts';
import { available } from '../store/unavailable.ts';
import { MANUAL_KIND } from '../store/worker.ts';
import { newClaimKey } from '../system/ids.ts';
import type { TeamTask } from './readTeam.ts';
import { isOf, type TeamContext } from './teamContext.ts';
import { queueOf, shortIdOf, slotId, slotOf } from './teamNames.ts';
import { holderName } from './teamTaskView.ts';

/** Whether this agent may settle a claim: its own, or one that another teammate handed to it. */
export function isOurs(context: TeamContext, holder: Worker): boolean {
  const slot = slotOf(context.team, holder.id);
  if (!slot) return false;
  return isOf(context.process, holder) || (slot.owner === context.name && slot.by !== context.name);
}

/** Claims this task for `owner`; throws the reason if that is not possible. */
export async function claimFor(context: TeamContext, task: TeamTask, owner: string): Promise<Lease> {
  const { store, team, name, process, sessionId } = context;
  const workerId = slotId(team, task.id, { owner, by: name });
  const facts = { kind: MANUAL_KIND, queue: queueOf(team), types: null, idleLimitMs: null, sessionId, ...process };
  const registered = available(await store.registerWorker({ workerId, ...facts }));
  if (registered.type !== 'registered') throw new TaskListError(await whoHas(context, task));
  const { incarnation } = registered;
  const by = { workerId, incarnation };
  const outcome = available(
    await store.claim({ ...by, claimKey: newClaimKey(), queue: queueOf(team), taskId: task.id }),
  );
  if (outcome.type === 'claimed') return outcome.lease;
  await store.stopWorker({ ...by, exitReason: 'claimed nothing' });
  throw new TaskListError(await whyNot(context, task, outcome));
}

/** Ties a claim that was handed to us to this process. */
export async function adopt({ store, process, sessionId }: TeamContext, { id, incarnation }: Worker): Promise<void> {
  available(await store.updateWorker({ workerId: id, incarnation, ...process, sessionId }));
}

export async function completeClaim(context: TeamContext, task: TeamTask, lease: Lease): Promise<void> {
  const outcome = available(await context.store.complete({ lease, result: `Completed by ${context.name}.` }));
  await leaveSlot(context, lease, 'completed');
  if (outcome.type !== 'accepted') throw new TaskListError(await whoHas(context, task));
}

export async function release(context: TeamContext, task: Pick<TeamTask, 'id'>, lease: Lease): Promise<void> {
  const outcome = available(await context.store.release({ lease, reason: 'released', backoff: false }));
  await leaveSlot(context, lease, 'released');
  if (outcome.type !== 'requeued' && outcome.type !== 'dead') throw new TaskListError(await whoHas(context, task));
}

/** Ends a slot with its task: the next claim of the same task is its next incarnation. */
export async function leaveSlot({ store }: TeamContext, lease: Lease, exitReason: string): Promise<void> {
  const { workerId, incarnation } = lease;
  // if this fails, a teammate ends the slot once this process has ended
  await store.stopWorker({ workerId, incarnation, exitReason });
}

const LEFT = 'The teammate that worked on it ended without completing it.';

/** Releases what this process holds, before it ends. */
export async function releaseAll(context: TeamContext): Promise<void> {
  const { workers } = available(await context.store.workers({ queue: queueOf(context.team), running: true }));
  for (const worker of workers) {
    if (!slotOf(context.team, worker.id) || !isOf(context.process, worker)) continue;
    const lease = leaseOf(worker);
    if (lease) await context.store.release({ lease, reason: 'released', backoff: false, checkpoint: LEFT });
    const { id: workerId, incarnation } = worker;
    await context.store.stopWorker({ workerId, incarnation, exitReason: 'ended' });
  }
}

type NotClaimed = Exclude<Outcomes['claim'], { type: 'claimed' }>;

async function whyNot(context: TeamContext, task: TeamTask, outcome: NotClaimed): Promise<string> {
  const shown = `Task #${shortIdOf(context.team, task.id)}`;
  if (outcome.type === 'empty') return `${shown} cannot be started: the team's queue is paused.`;
  if (outcome.reason !== 'taskNotReady') return whoHas(context, task);
  if (outcome.status === 'blocked') return `${shown} cannot be started yet: ${waitsFor(context, task)}.`;
  if (outcome.status === 'held') return `${shown} is held: ${task.holdReason ?? 'it must be released first'}.`;
  if (outcome.status === 'delayed') return `${shown} may not be started before ${new Date(task.runAt).toISOString()}.`;
  return whoHas(context, task);
}

function waitsFor({ team }: TeamContext, { dependsOn }: TeamTask): string {
  const ids = dependsOn.map((id) => `#${shortIdOf(team, id)}`).join(', ');
  return ids === '' ? 'it waits for another task' : `it waits for ${ids}, which are not all completed`;
}

/** Reads the task again: what we knew is out of date. */
export async function whoHas({ store, team, name }: TeamContext, { id }: Pick<TeamTask, 'id'>): Promise<string> {
  const shown = `Task #${shortIdOf(team, id)}`;
  const found = available(await store.task({ id }));
  const state = found.type === 'found' ? found.task.state : 'cancelled';
  if (state === 'cancelled' || state === 'dead') return `${shown} no longer exists; TaskList shows the current tasks.`;
  const last = available(await store.attempts({ taskId: id })).attempts.at(-1);
  const holder = last ? holderName(team, last.workerId) : 'another agent';
  const who = holder === name ? `another process called ${name}` : holder;
  if (state === 'done') return `${shown} was already completed by ${who}.`;
  if (state === 'queued') return `${shown} was just claimed and released; try again.`;
  return `${shown} is being worked on by ${who}. Take another one, or ask ${who} to release it.`;
}
