import { TaskListError } from '../../session/taskList.ts';
import { type ToolOutcome, withoutProgress } from '../tool.ts';
import type { ToolContext } from '../toolContext.ts';

/** The `call` of a task tool: what a shared list refuses is a failure for the model to fix, not a bug. */
export function taskCall<Input, Output>(run: (input: Input, context: ToolContext) => Promise<ToolOutcome<Output>>) {
  return withoutProgress(async (input: Input, context: ToolContext): Promise<ToolOutcome<Output>> => {
    try {
      return await run(input, context);
    } catch (error) {
      if (error instanceof TaskListError) return { type: 'failed', message: error.message };
      throw error;
    }
  });
}
