import type { FirstTask, RunningAgent } from '../../fleet/worker/runWorker.ts';
import type { AgentEnd } from '../../fleet/worker/workerRun.ts';
import { UserError } from '../../system/userError.ts';
import type { OpenedFolder } from './repository/openTaskFolder.ts';
import type { StartedAgent } from './startAgent.ts';
import type { TaskFolder } from './taskFolders.ts';

const over = (end: AgentEnd): RunningAgent => ({ ended: Promise.resolve(end), end: async () => {} });

/** A budget of its task is used up. */
export const notStarted = (overBudget: string): RunningAgent => over({ ending: 'clean', why: overBudget, overBudget });

/** Its task has no folder here. */
export const notOpened = ({ reason, isFinal }: Extract<OpenedFolder, { type: 'noFolder' }>): RunningAgent =>
  over({ ending: 'idle', why: `no agent was started: ${reason}`, noFolder: { isFinal } });

/**
 * With this task no agent can be started, such as one that cannot keep to its budget: another task may have one. Where the system
 * refuses what a start needs (a full disk, a file in place of a folder), the task has done nothing wrong, and the worker goes on.
 */
export function refused(error: unknown): StartedAgent {
  const isFinal = error instanceof UserError;
  if (!isFinal && !isOfSystem(error)) throw error;
  return { ...notOpened({ type: 'noFolder', reason: error.message, isFinal }), spent: () => null };
}

const isOfSystem = (error: unknown): error is Error => error instanceof Error && 'syscall' in error && 'code' in error;

/** Says where its worktree starts, if not at HEAD: the prompt was written before there was one. */
export function withStart(task: FirstTask, { continuedFrom, notes = [] }: TaskFolder): FirstTask {
  if (continuedFrom === undefined && notes.length === 0) return task;
  const start = `This worktree starts at the head of ${continuedFrom}, the branch of the attempt before, with its work: look at it first, and continue.`;
  const words = [...(continuedFrom === undefined ? [] : [start]), ...notes];
  return { ...task, prompt: `${task.prompt}\n\n${words.join('\n')}` };
}
