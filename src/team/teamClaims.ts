import { TaskListError } from '../session/taskList.ts';
import type { ClaimOutcome, Lease, Worker } from '../store/types.ts';
import { available } from '../store/unavailable.ts';
import { newClaimKey } from '../system/ids.ts';
import type { TeamTask } from './lookAtTeam.ts';
import { leaseOf, type TeamContext } from './teamContext.ts';
import { queueOf, shortIdOf, slotId, slotOf } from './teamNames.ts';
import { holderName } from './teamTaskView.ts';
import { isOf } from './thisProcess.ts';

/** See `cli/tasks/claim/ownWorker.ts`: nobody beats for it, its process says whether it lives. */
const MANUAL_KIND = 'manual';

/** Whether this agent may settle a claim: its own, or one that another teammate handed to it. */
export function isOurs(context: TeamContext, holder: Worker): boolean {
  const slot = slotOf(context.team, holder.id);
  if (!slot) return false;
  return isOf(context.process, holder) || (slot.owner === context.name && slot.by !== context.name);
}

/** The claim of this very task for `owner`; what is in the way is told in a sentence. */
export async function claimFor(context: TeamContext, task: TeamTask, owner: string): Promise<Lease> {
  const { store, team, name } = context;
  const workerId = slotId(team, task.id, { owner, by: name });
  const registered = available(await store.registerWorker({ workerId, ...slotFacts(context) }));
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

function slotFacts({ team, process, sessionId }: TeamContext) {
  return { kind: MANUAL_KIND, queue: queueOf(team), types: null, idleLimitMs: null, sessionId, ...process };
}

/** A claim that was handed to us is ours from now on: it lives as long as this process does. */
export async function adopt({ store, process, sessionId }: TeamContext, { id, incarnation }: Worker): Promise<void> {
  available(await store.updateWorker({ workerId: id, incarnation, ...process, sessionId }));
}

export async function completeClaim(context: TeamContext, task: TeamTask, lease: Lease): Promise<void> {
  const outcome = available(await context.store.complete({ lease, result: `Completed by ${context.name}.` }));
  await leaveSlot(context, lease, 'completed');
  if (outcome.type !== 'accepted') throw new TaskListError(await whoHas(context, task));
}

export async function giveBack(context: TeamContext, task: Pick<TeamTask, 'id'>, lease: Lease): Promise<void> {
  const outcome = available(await context.store.release({ lease, reason: 'released' }));
  await leaveSlot(context, lease, 'released');
  if (outcome.type !== 'requeued' && outcome.type !== 'dead') throw new TaskListError(await whoHas(context, task));
}

/** A slot without a task is of no use: the next claim of the same task is its next incarnation. */
export async function leaveSlot({ store }: TeamContext, lease: Lease, exitReason: string): Promise<void> {
  const { workerId, incarnation } = lease;
  // a slot that could not be left is found by whoever looks after this process is gone
  await store.stopWorker({ workerId, incarnation, exitReason });
}

const LEFT = 'The teammate that worked on it ended without completing it.';

/** What this process holds goes back when it ends: nobody works on it any more. */
export async function giveAllBack(context: TeamContext): Promise<void> {
  const { workers } = available(await context.store.workers({ queue: queueOf(context.team), running: true }));
  for (const worker of workers) {
    if (!slotOf(context.team, worker.id) || !isOf(context.process, worker)) continue;
    const lease = leaseOf(worker);
    if (lease) await context.store.release({ lease, reason: 'released', checkpoint: LEFT });
    const { id: workerId, incarnation } = worker;
    await context.store.stopWorker({ workerId, incarnation, exitReason: 'ended' });
  }
}

type NotClaimed = Exclude<ClaimOutcome, { type: 'claimed' | 'unavailable' }>;

async function whyNot(context: TeamContext, task: TeamTask, outcome: NotClaimed): Promise<string> {
  const shown = `Task #${shortIdOf(context.team, task.id)}`;
  if (outcome.type === 'empty') return `${shown} cannot be started: the team's queue is paused.`;
  if (outcome.reason !== 'taskNotReady') return whoHas(context, task);
  if (outcome.status === 'blocked') return `${shown} cannot be started yet: ${waitsFor(context, task)}.`;
  if (outcome.status === 'held') return `${shown} is held: ${task.holdReason ?? 'somebody must let it go first'}.`;
  if (outcome.status === 'delayed') return `${shown} may not be started before ${new Date(task.runAt).toISOString()}.`;
  return whoHas(context, task);
}

function waitsFor({ team }: TeamContext, { dependsOn }: TeamTask): string {
  const ids = dependsOn.map((id) => `#${shortIdOf(team, id)}`).join(', ');
  return ids === '' ? 'it waits for another task' : `it waits for ${ids}, of which not all are completed`;
}

/** Looked up anew: what we knew is out of date, or we would not have to say it. */
export async function whoHas({ store, team, name }: TeamContext, { id }: Pick<TeamTask, 'id'>): Promise<string> {
  const shown = `Task #${shortIdOf(team, id)}`;
  const found = available(await store.task({ id }));
  const state = found.type === 'found' ? found.task.state : 'cancelled';
  if (state === 'cancelled' || state === 'dead') return `${shown} is gone; TaskList shows those there are.`;
  const last = available(await store.attempts({ taskId: id })).attempts.at(-1);
  const holder = last ? holderName(team, last.workerId) : 'somebody else';
  const who = holder === name ? `another process called ${name}` : holder;
  if (state === 'done') return `${shown} was completed by ${who} already.`;
  if (state === 'queued') return `${shown} was just taken and given back; try again.`;
  return `${shown} is being worked on by ${who}. Take another one, or ask ${who} to give it back.`;
}
