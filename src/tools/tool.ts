import type * as z from 'zod';
import type { ImageBlock, TextBlock } from '../models/types.ts';
import type { PermissionRequest } from '../permissions/types.ts';
import type { ToolContext } from './toolContext.ts';

/** What a model reads of a result. */
export type ToolContent = string | readonly (TextBlock | ImageBlock)[];

/** What a call came to. `output` is what hooks see as `tool_response`; `content` is what the model reads. */
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
  readonly inputSchema: Schema;
  /** The input's schema in a server's own words, in place of the one that `inputSchema` gives. */
  readonly jsonSchema?: Readonly<Record<string, unknown>>;
  /** The MCP server that it belongs to, and where that is configured; hooks are told. */
  readonly mcpServer?: { readonly name: string; readonly source: string };
  /** True for a tool that may change things and still runs side by side with its neighbors: a subagent is on its own. */
  readonly runsBesideOthers?: boolean;
  /** Calls for which this holds may run side by side. Must not throw. */
  isReadOnly(input: z.output<Schema>): boolean;
  /** What the permission rules are asked about this call. */
  permission(input: z.output<Schema>, context: ToolContext): PermissionRequest;
  /**
   * The input as hooks see it and as it then runs: paths absolute, so that a gate that compares prefixes is not walked
   * around with `../`. Absent: the input as it was parsed.
   */
  observe?(input: z.output<Schema>, context: ToolContext): z.output<Schema>;
  /**
   * Why a call cannot be run, whatever is allowed: the model is told, and no hook and no rule is asked, as with an input that
   * does not fit the schema. Must not change anything.
   */
  whyNot?(input: z.output<Schema>, context: ToolContext): Promise<string | undefined>;
  /** The file that a call reads, when it reads one: its folder may have instructions. */
  readsFile?(input: z.output<Schema>): string | undefined;
  /** A few words for a status line: the command, the path. */
  summary(input: z.output<Schema>): string;
  /** What the model reads of an output that a hook put in place of the tool's own; undefined when it has the wrong shape. */
  renderOutput?(output: unknown): ToolContent | undefined;
  /** Never throws for failures of the world: they are outcomes. Ends promptly once `context.signal` aborts. */
  call(input: z.output<Schema>, context: ToolContext): AsyncGenerator<ToolProgress, ToolOutcome<Output>>;
}

/** What hooks, rules and the tool itself are given of one parsed input. */
export function observedInput(tool: Tool, input: unknown, context: ToolContext): unknown {
  return tool.observe ? tool.observe(input, context) : input;
}

/** Keeps a tool's own types inside while it sits in a list of tools. */
export function defineTool<Schema extends z.ZodType, Output>(tool: Tool<Schema, Output>): Tool {
  return tool as unknown as Tool;
}
