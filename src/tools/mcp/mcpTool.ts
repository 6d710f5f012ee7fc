import * as z from 'zod';
import { defineTool, type Tool, withoutProgress } from '../tool.ts';
import { type McpReading, type McpResult, readMcpResult, readReplacement } from './mcpContent.ts';

/** A tool as its server describes it. */
export interface McpToolDescription {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly annotations?: { readonly readOnlyHint?: boolean | undefined } | undefined;
}

interface McpToolServer extends Omit<McpReading, 'toolName'> {
  /** Where it is configured, for hooks. */
  readonly source: string;
  /** Rejects when the server cannot be reached, returns an error or takes too long. */
  call(tool: string, input: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<McpResult>;
}

/** The longest name that providers accept. */
const MAX_NAME = 128;
const MAX_DESCRIPTION = 2048;

/** `mcp__server__tool`, with invalid characters replaced; undefined when it is too long. */
export function mcpToolName(server: string, tool: string): string | undefined {
  const name = `mcp__${plain(server)}__${plain(tool)}`;
  return name.length > MAX_NAME ? undefined : name;
}

/** The error of a connection or call, without the protocol's code. */
export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/^MCP error -?\d+: /, '');

const plain = (name: string) => name.replaceAll(/[^\w-]/g, '_');

/** A server's tool. The server checks the input: its schema may be stricter than Zod can express. */
export function mcpTool(name: string, described: McpToolDescription, server: McpToolServer): Tool {
  return defineTool({
    name,
    description: (described.description ?? '').slice(0, MAX_DESCRIPTION),
    inputSchema: z.record(z.string(), z.unknown()),
    jsonSchema: described.inputSchema,
    mcpServer: { name: server.server, source: server.source },
    isReadOnly: () => described.annotations?.readOnlyHint === true,
    permission: () => ({ type: 'other' }),
    summary: (input) => JSON.stringify(input).slice(0, 200),
    renderOutput: readReplacement,
    call: withoutProgress(async (input, { signal }) => {
      try {
        return await readMcpResult(await server.call(described.name, input, signal), { ...server, toolName: name });
      } catch (error) {
        if (signal.aborted) return { type: 'failed', message: 'Interrupted.', interrupted: true };
        return { type: 'failed', message: reasonOf(error) };
      }
    }),
  });
}
