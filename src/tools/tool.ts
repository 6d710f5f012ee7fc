import type * as z from 'zod';
import type { ImageBlock, TextBlock } from '../models/types.ts';
import type { PermissionRequest } from '../permissions/types.ts';
import type { ToolContext } from './toolContext.ts';

/** A result for the model. */
type ToolContent = string | readonly (TextBlock | ImageBlock)[];

/** The outcome of a call: `output` is the `tool_response` for hooks, `content` is for the model. */
export type ToolOutcome<Output = unknown> =
  | {
      readonly type: 'done';
      readonly output: Output;
      readonly content: ToolContent;
    }
  | { readonly type: 'failed'; readonly message: string; readonly interrupted?: boolean };

/** Something to show while a call runs. */
export interface ToolProgress {
  readonly type: 'progress';
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Tool<Schema extends z.ZodType = z.ZodType, Output = unknown> {
  readonly name: string;
  readonly description: string;
  /** Lazy for our own tools: a session needs only those of the tools that it calls. */
  readonly inputSchema: Schema;
  /** A server's own schema of the input, used instead of `inputSchema`. */
  readonly jsonSchema?: Readonly<Record<string, unknown>>;
  /** Its MCP server, and where that is configured, for hooks. */
  readonly mcpServer?: { readonly name: string; readonly source: string };
  /** True for a tool that may change things but can still run in parallel: a subagent. */
  readonly runsBesideOthers?: boolean;
  /** Read-only calls may run in parallel. Must not throw. */
  isReadOnly(input: z.output<Schema>): boolean;
  /** What permission rules see of this call. */
  permission(input: z.output<Schema>, context: ToolContext): PermissionRequest;
  /** The input as hooks see it and as it runs: with absolute paths, so that `../` cannot evade a gate. */
  observe?(input: z.output<Schema>, context: ToolContext): z.output<Schema>;
  /** The input as the conversation keeps it; default: as the model wrote it. */
  keptInput?(input: z.output<Schema>): Readonly<Record<string, unknown>>;
  /** Why a call cannot run at all; hooks and rules do not see such a call. Must not change anything. */
  whyNot?(input: z.output<Schema>, context: ToolContext): Promise<string | undefined>;
  /** The file that a call reads: its folder may have instructions. */
  readsFile?(input: z.output<Schema>): string | undefined;
  /** A short text for a status line: the command, the path. */
  summary(input: z.output<Schema>): string;
  /** The content of an output that a hook replaced; undefined when it has the wrong shape. */
  renderOutput?(output: unknown): ToolContent | undefined;
  /** External failures are outcomes, not exceptions. Ends promptly once `context.signal` aborts. */
  call(input: z.output<Schema>, context: ToolContext): AsyncGenerator<ToolProgress, ToolOutcome<Output>>;
}

/** The parsed input for hooks, rules and the tool itself. */
export function observedInput(tool: Tool, input: unknown, context: ToolContext): unknown {
  return tool.observe ? tool.observe(input, context) : input;
}

/** Hides a tool's own types, for lists of tools. */
export function defineTool<Schema extends z.ZodType, Output>(tool: Tool<Schema, Output>): Tool {
  return tool as unknown as Tool;
}

type Run<Input, Output> = (input: Input, context: ToolContext) => Promise<ToolOutcome<Output>>;

/** The `call` of a tool that reports no progress. */
export function withoutProgress<Input, Output>(run: Run<Input, Output>) {
  return async function* call(input: Input, context: ToolContext): AsyncGenerator<ToolProgress, ToolOutcome<Output>> {
    yield* [];
    return await run(input, context);
  };
}
