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

export interface McpToolServer {
  readonly name: string;
  /** Where it is configured, for hooks. */
  readonly source: string;
  /** Rejects when the server cannot be reached, returns an error or takes too long. */
  call(tool: string, input: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<McpResult>;
  /** Why a call failed, for the model. */
  reasonOf(error: unknown): string;
  readonly maxCharacters: number;
  readonly save: McpReading['save'];
}

/** The longest name that providers accept. */
const MAX_NAME = 128;
const MAX_DESCRIPTION = 2048;

/** `mcp__server__tool`, with invalid characters replaced; undefined when it is too long. */
export function mcpToolName(server: string, tool: string): string | undefined {
  const name = `mcp__${plain(server)}__${plain(tool)}`;
  return name.length > MAX_NAME ? undefined : name;
}

const plain = (name: string) => name.replaceAll(/[^\w-]/g, '_');

/** A server's tool. The server checks the input: its schema may be stricter than Zod can express. */
export function mcpTool(name: string, described: McpToolDescription, server: McpToolServer): Tool {
  const { maxCharacters, save } = server;
  const reading: McpReading = { server: server.name, toolName: name, maxCharacters, save };
  return defineTool({
    name,
    description: (described.description ?? '').slice(0, MAX_DESCRIPTION),
    inputSchema: z.record(z.string(), z.unknown()),
    jsonSchema: described.inputSchema,
    mcpServer: { name: server.name, source: server.source },
    isReadOnly: () => described.annotations?.readOnlyHint === true,
    permission: () => ({ type: 'other' }),
    summary: (input) => JSON.stringify(input).slice(0, 200),
    renderOutput: readReplacement,
    call: withoutProgress(async (input, { signal }) => {
      try {
        return await readMcpResult(await server.call(described.name, input, signal), reading);
      } catch (error) {
        if (signal.aborted) return { type: 'failed', message: 'Interrupted.', interrupted: true };
        return { type: 'failed', message: server.reasonOf(error) };
      }
    }),
  });
}
