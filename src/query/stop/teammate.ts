import type { QueryEvent } from '../events.ts';
import type { ToolUseContext } from '../toolUseContext.ts';
import type { Turn } from '../turn.ts';
import { askAtStop } from './askAtStop.ts';
import type { StopHookResult } from './stopResult.ts';

/** An agent of a team: who it is to the others. */
export interface Teammate {
  readonly team: string;
  readonly name: string;
}

/**
 * A teammate may only go idle when each task it holds may be called completed, and when TeammateIdle hooks let it. Both are
 * asked, so that it hears all that is missing in one round.
 * Prevented beats blocked beats pass.
 */
export async function* askForTeammate(
  turn: Turn,
  context: ToolUseContext,
): AsyncGenerator<QueryEvent, StopHookResult[]> {
  const { teammate } = context;
  if (!teammate) return [];
  const who = { teammate_name: teammate.name, team_name: teammate.team };
  const answers: StopHookResult[] = [];
  const tasks = await context.toolServices.tasks.list();
  for (const task of tasks.filter(({ status, owner }) => status === 'in_progress' && owner === teammate.name)) {
    const input = () => ({ task_id: task.id, task_subject: task.subject, task_description: task.description, ...who });
    answers.push(yield* askAtStop(turn, { event: 'TaskCompleted', context, input }));
  }
  // a blocked task does not answer for the teammate: its TeammateIdle hooks may want something else done, too
  if (answers.some(({ preventContinuation }) => preventContinuation)) return answers;
  answers.push(yield* askAtStop(turn, { event: 'TeammateIdle', context, input: () => who }));
  return answers;
}
