import type { ToolOutcome, ToolProgress } from './tool.ts';
import type { ToolContext } from './toolContext.ts';

type Run<Input, Output> = (input: Input, context: ToolContext) => Promise<ToolOutcome<Output>>;

/** The `call` of a tool that reports no progress. */
export function withoutProgress<Input, Output>(run: Run<Input, Output>) {
  return async function* call(input: Input, context: ToolContext): AsyncGenerator<ToolProgress, ToolOutcome<Output>> {
    yield* [];
    return await run(input, context);
  };
}
