import { TaskListError } from '../../session/taskList.ts';
import type { ToolOutcome } from '../tool.ts';
import type { ToolContext } from '../toolContext.ts';
import { withoutProgress } from '../withoutProgress.ts';

/** The `call` of a tool on tasks: what a shared list cannot do is the model's to mend, and no bug of the tool. */
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
