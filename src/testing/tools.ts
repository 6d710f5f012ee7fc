import * as z from 'zod';
import { defineTool, type Tool, type ToolOutcome } from '../tools/tool.ts';
import type { ToolContext } from '../tools/toolContext.ts';

export interface FakeToolOptions {
  readonly readOnly?: boolean;
  readonly run?: (input: { text: string }, context: ToolContext) => Promise<string> | string;
}

/** A tool with the behavior of `run`: `{ text }` in, text out; a thrown error becomes a failed call. */
export function fakeTool(name: string, { readOnly = false, run = ({ text }) => text }: FakeToolOptions = {}): Tool {
  return defineTool({
    name,
    description: `The ${name} tool of a test.`,
    inputSchema: z.strictObject({ text: z.string() }),
    isReadOnly: () => readOnly,
    permission: () => ({ type: 'free' }),
    summary: ({ text }) => text,
    // biome-ignore lint/correctness/useYield: a tool without progress
    call: async function* (input, context): AsyncGenerator<never, ToolOutcome<string>> {
      try {
        const output = await run(input, context);
        return { type: 'done', output, content: output };
      } catch (error) {
        return { type: 'failed', message: (error as Error).message };
      }
    },
  });
}
