import { type Task, TaskListError } from '../session/taskList.ts';
import type { AmendTaskOutcome, AmendTaskRequest, Lease, Unavailable } from '../store/types.ts';
import { available } from '../store/unavailable.ts';
import type { TeamTask } from './lookAtTeam.ts';
import { bodyOf, textOf } from './taskNotes.ts';
import { adopt, claimFor, completeClaim, giveBack, isOurs, whoHas } from './teamClaims.ts';
import { leaseOf, type TeamContext } from './teamContext.ts';
import { shortIdOf } from './teamNames.ts';
import { holderName } from './teamTaskView.ts';

export type TaskChange = Partial<Omit<Task, 'id'>>;

/**
 * What a teammate changes of a task. Links come first, while nobody works on it; then the task is taken, if that is asked;
 * then its words; last it is completed or given back. What cannot be done leaves the rest undone.
 */
export async function changeTeamTask(
  context: TeamContext,
  tasks: readonly TeamTask[],
  asked: AskedChange,
): Promise<void> {
  const { task, change } = asked;
  if (task.state === 'done') await refuseReopening(context, asked);
  await link(context, tasks, asked);
  const lease = await take(context, asked);
  await amendWords(context, asked);
  if (!lease) return;
  if (change.status === 'completed') await completeClaim(context, task, lease);
  if (change.status === 'pending') await giveBack(context, task, lease);
}

/** To say again that it is done is no change; to say it of what another one did would be believed. */
async function refuseReopening(context: TeamContext, { task, change }: AskedChange): Promise<void> {
  if (change.status === undefined) return;
  const shown = `Task #${shortIdOf(context.team, task.id)}`;
  if (change.status !== 'completed') throw new TaskListError(`${shown} is completed and stays so; create a new one.`);
  const last = available(await context.store.attempts({ taskId: task.id })).attempts.at(-1);
  const who = last && holderName(context.team, last.workerId);
  if (who !== undefined && who !== context.name) throw new TaskListError(`${shown} was completed by ${who} already.`);
}

export interface AskedChange {
  readonly task: TeamTask;
  readonly change: TaskChange;
}

/** Both ends are told of a link; the store keeps it at the one that waits. */
async function link(context: TeamContext, tasks: readonly TeamTask[], { task, change }: AskedChange): Promise<void> {
  const idOf = (shortId: string) => tasks.find(({ id }) => shortIdOf(context.team, id) === shortId)?.id;
  const before = (change.blockedBy ?? []).flatMap((shortId) => idOf(shortId) ?? []);
  const added = before.filter((id) => !task.dependsOn.includes(id));
  if (added.length > 0) await amend(context, task, { addDependsOn: added });
  for (const shortId of change.blocks ?? []) {
    const blocked = tasks.find(({ id }) => shortIdOf(context.team, id) === shortId);
    if (blocked && !blocked.dependsOn.includes(task.id)) await amend(context, blocked, { addDependsOn: [task.id] });
  }
}

/** The claim to settle with, or none when nothing is asked that needs one. */
async function take(context: TeamContext, { task, change }: AskedChange): Promise<Lease | undefined> {
  const { status, owner } = change;
  const { holder } = task;
  if ((status === undefined && owner === undefined) || task.state === 'done') return undefined;
  const isWanted = status === 'in_progress' || status === 'completed';
  if (!holder && task.state === 'queued') return isWanted ? claimFor(context, task, owner ?? context.name) : undefined;
  const lease = holder && isOurs(context, holder) ? leaseOf(holder) : undefined;
  if (!holder || !lease) {
    if (status === undefined && holder && holderName(context.team, holder.id) === owner) return undefined;
    throw new TaskListError(await whoHas(context, task));
  }
  const goesTo = owner ?? (status === 'in_progress' ? context.name : undefined);
  if (status === 'pending' || status === 'completed' || goesTo === holderName(context.team, holder.id)) {
    if (goesTo === context.name) await adopt(context, holder);
    return lease;
  }
  await giveBack(context, task, lease);
  return claimFor(context, task, goesTo ?? context.name);
}

async function amendWords(context: TeamContext, { task, change }: AskedChange): Promise<void> {
  const { description: oldDescription, notes } = textOf(task.body);
  const { subject, description = oldDescription, activeForm = notes.activeForm, owner = notes.owner } = change;
  const body = bodyOf({ description, notes: { activeForm, owner } });
  const words = { ...(subject !== undefined && { title: subject }), ...(body !== task.body && { body }) };
  if (Object.keys(words).length > 0) await amend(context, task, words);
}

type Words = Omit<AmendTaskRequest, 'taskId' | 'actor'>;

async function amend(context: TeamContext, task: TeamTask, words: Words): Promise<void> {
  const { store, name: actor } = context;
  // a task that is deleted, or failed for good, keeps nobody waiting
  const outcome = await store.amendTask({ taskId: task.id, ...words, onDependencyFailure: 'run', actor });
  const problem = amendProblem(context, task, available(outcome));
  if (problem !== undefined) throw new TaskListError(problem);
}

function amendProblem(
  { team }: TeamContext,
  { id }: TeamTask,
  outcome: Exclude<AmendTaskOutcome, Unavailable>,
): string | undefined {
  const shown = `Task #${shortIdOf(team, id)}`;
  if (outcome.type === 'unknownTask') return `${shown} is gone; TaskList shows those there are.`;
  if (outcome.type !== 'refused') return undefined;
  if (outcome.reason === 'invalid') return `${shown} was not changed. ${outcome.problem}`;
  if (outcome.reason === 'state') {
    const isHeld = outcome.state === 'claimed' || outcome.state === 'verifying';
    return isHeld
      ? `${shown} is being worked on; it cannot be told to wait for another one unless it is pending.`
      : `${shown} has ended and cannot be changed any more.`;
  }
  const other = `#${shortIdOf(team, outcome.dependencyId)}`;
  if (outcome.reason === 'cycle') return `${shown} cannot wait for ${other}, which waits for it.`;
  return `${shown} cannot wait for ${other}: there is no such task any more.`;
}
