import { type Task, TaskListError } from '../session/taskList.ts';
import { leaseOf } from '../store/leaseOf.ts';
import type { Lease, Outcomes, Requests } from '../store/types.ts';
import { available } from '../store/unavailable.ts';
import type { TeamTask } from './readTeam.ts';
import { bodyOf, textOf } from './taskNotes.ts';
import { adopt, claimFor, completeClaim, isOurs, release, whoHas } from './teamClaims.ts';
import type { TeamContext } from './teamContext.ts';
import { shortIdOf } from './teamNames.ts';
import { holderName } from './teamTaskView.ts';

/**
 * Applies a teammate's change. Links come first, while the task is not claimed; then the claim, if requested; then the text;
 * then completion or release. A step that fails skips the ones after it.
 */
export async function changeTeamTask(context: TeamContext, tasks: readonly TeamTask[], requested: RequestedChange) {
  const { task, change } = requested;
  if (task.state === 'done') await refuseReopening(context, requested);
  await link(context, tasks, requested);
  const lease = await take(context, requested);
  await amendText(context, requested);
  if (!lease) return;
  if (change.status === 'completed') await completeClaim(context, task, lease);
  if (change.status === 'pending') await release(context, task, lease);
}

/** Completing a task again changes nothing, but a task that a teammate completed must not seem to be ours. */
async function refuseReopening(context: TeamContext, { task, change }: RequestedChange): Promise<void> {
  if (change.status === undefined) return;
  const shown = `Task #${shortIdOf(context.team, task.id)}`;
  if (change.status !== 'completed')
    throw new TaskListError(`${shown} is completed and cannot be reopened; create a new one.`);
  const last = available(await context.store.attempts({ taskId: task.id })).attempts.at(-1);
  const who = last && holderName(context.team, last.workerId);
  if (who !== undefined && who !== context.name) throw new TaskListError(`${shown} was already completed by ${who}.`);
}

export interface RequestedChange {
  readonly task: TeamTask;
  readonly change: Partial<Omit<Task, 'id'>>;
}

/** A change may name either end of a link; the store keeps it at the task that waits. */
async function link(context: TeamContext, tasks: readonly TeamTask[], { task, change }: RequestedChange) {
  const named = (shortId: string) => tasks.find(({ id }) => shortIdOf(context.team, id) === shortId);
  const before = (change.blockedBy ?? []).flatMap((shortId) => named(shortId)?.id ?? []);
  const added = before.filter((id) => !task.dependsOn.includes(id));
  if (added.length > 0) await amend(context, task, { addDependsOn: added });
  for (const shortId of change.blocks ?? []) {
    const blocked = named(shortId);
    if (blocked && !blocked.dependsOn.includes(task.id)) await amend(context, blocked, { addDependsOn: [task.id] });
  }
}

/** The claim to settle with, or none if the change needs none. */
async function take(context: TeamContext, { task, change }: RequestedChange): Promise<Lease | undefined> {
  const { status, owner } = change;
  const { holder } = task;
  if ((status === undefined && owner === undefined) || task.state === 'done') return undefined;
  const isWanted = status === 'in_progress' || status === 'completed';
  if (!holder && task.state === 'queued') return isWanted ? claimFor(context, task, owner ?? context.name) : undefined;
  const lease = holder && isOurs(context, holder) ? leaseOf(holder) : null;
  if (!holder || !lease) {
    if (status === undefined && holder && holderName(context.team, holder.id) === owner) return undefined;
    throw new TaskListError(await whoHas(context, task));
  }
  const goesTo = owner ?? (status === 'in_progress' ? context.name : undefined);
  if (status === 'pending' || status === 'completed' || goesTo === holderName(context.team, holder.id)) {
    if (goesTo === context.name) await adopt(context, holder);
    return lease;
  }
  await release(context, task, lease);
  return claimFor(context, task, goesTo ?? context.name);
}

async function amendText(context: TeamContext, { task, change }: RequestedChange): Promise<void> {
  const { description: oldDescription, notes } = textOf(task.body);
  const { subject, description = oldDescription, activeForm = notes.activeForm, owner = notes.owner } = change;
  const body = bodyOf({ description, notes: { activeForm, owner } });
  const text = { ...(subject !== undefined && { title: subject }), ...(body !== task.body && { body }) };
  if (Object.keys(text).length > 0) await amend(context, task, text);
}

async function amend(context: TeamContext, task: TeamTask, change: Omit<Requests['amendTask'], 'taskId' | 'actor'>) {
  const { store, name: actor } = context;
  // deleted and dead tasks must not keep others waiting
  const outcome = await store.amendTask({ taskId: task.id, ...change, onDependencyFailure: 'run', actor });
  const problem = amendProblem(context, task, available(outcome));
  if (problem !== undefined) throw new TaskListError(problem);
}

function amendProblem({ team }: TeamContext, { id }: TeamTask, outcome: Outcomes['amendTask']): string | undefined {
  const shown = `Task #${shortIdOf(team, id)}`;
  if (outcome.type === 'unknownTask') return `${shown} no longer exists; TaskList shows the current tasks.`;
  if (outcome.type !== 'refused') return undefined;
  if (outcome.reason === 'invalid') return `${shown} was not changed. ${outcome.problem}`;
  if (outcome.reason === 'state') {
    const isHeld = outcome.state === 'claimed' || outcome.state === 'verifying';
    return isHeld
      ? `${shown} is being worked on; only a pending task can be made to wait for another one.`
      : `${shown} has ended and can no longer be changed.`;
  }
  const other = `#${shortIdOf(team, outcome.dependencyId)}`;
  if (outcome.reason === 'cycle') return `${shown} cannot wait for ${other}, which waits for it.`;
  return `${shown} cannot wait for ${other}: that task no longer exists.`;
}
