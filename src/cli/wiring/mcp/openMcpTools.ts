import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { type McpToolDescription, mcpTool, mcpToolName } from '../../../tools/mcp/mcpTool.ts';
import type { Tool } from '../../../tools/tool.ts';
import { type McpConnections, reasonOf } from '../mcpConnections.ts';
import type { ConfiguredServer } from '../mcpServers.ts';
import type { McpLimits } from './mcpLimits.ts';

/** How one server stands at the start, as the stream's first line shows it. */
export interface McpStatus {
  readonly name: string;
  readonly status: 'connected' | 'failed';
  readonly source: string;
}

export interface McpTools {
  readonly tools: readonly Tool[];
  readonly status: readonly McpStatus[];
  /** What servers say of how to use them; undefined when none does. */
  readonly instructions: string | undefined;
  readonly warnings: readonly string[];
}

export interface McpToolsOptions {
  readonly servers: ReadonlyMap<string, ConfiguredServer>;
  readonly connections: Pick<McpConnections, 'client'>;
  readonly limits: McpLimits;
  readonly signal: AbortSignal;
  readonly save: (server: string) => (bytes: Buffer, mediaType: string) => Promise<string>;
}

const MAX_INSTRUCTIONS = 2048;
/** A server that names a next page forever must not hold the start. */
const MAX_PAGES = 50;

type Started =
  | {
      readonly type: 'connected';
      readonly name: string;
      readonly described: readonly McpToolDescription[];
      readonly instructions?: string | undefined;
    }
  | { readonly type: 'failed'; readonly name: string; readonly why: string };

/** Starts all servers side by side and asks for their tools. One that does not answer is named, and the run goes on without it. */
export async function openMcpTools(options: McpToolsOptions): Promise<McpTools> {
  const { servers, limits } = options;
  const started = await Promise.all([...servers.keys()].map((name) => start(name, options)));
  const connected = started.filter((one) => one.type === 'connected');
  const failed = started.filter((one) => one.type === 'failed');
  const { tools, warnings } = toolsOf(connected, options);
  return {
    tools,
    status: started.map(({ name, type }) => ({ name, status: type, source: servers.get(name)?.source ?? 'dynamic' })),
    instructions: instructionsOf(connected),
    warnings: [...limits.warnings, ...(failed.length > 0 ? [failedWords(failed, limits)] : []), ...warnings],
  };
}

async function start(name: string, { connections, limits, signal }: McpToolsOptions): Promise<Started> {
  const timeLimit = AbortSignal.timeout(limits.connectMs);
  const ended = AbortSignal.any([signal, timeLimit]);
  try {
    const client = await untilAborted(connections.client(name), ended);
    const described = await listTools(client, ended, limits);
    return { type: 'connected', name, described, instructions: client.getInstructions() };
  } catch (error) {
    const why = timeLimit.aborted ? `no answer within ${limits.connectMs / 1000} s` : reasonOf(error);
    return { type: 'failed', name, why };
  }
}

function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(new Error('it was interrupted'));
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  return Promise.race([promise, aborted.promise]).finally(() => signal.removeEventListener('abort', abort));
}

async function listTools(
  client: Client,
  signal: AbortSignal,
  limits: McpLimits,
): Promise<readonly McpToolDescription[]> {
  if (client.getServerCapabilities()?.tools === undefined) return [];
  const all: McpToolDescription[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await client.listTools(cursor === undefined ? {} : { cursor }, {
      signal,
      timeout: limits.connectMs,
    });
    all.push(...answer.tools);
    cursor = answer.nextCursor;
    if (cursor === undefined) break;
  }
  return all;
}

type Connected = Extract<Started, { type: 'connected' }>;

function toolsOf(connected: readonly Connected[], options: McpToolsOptions): Pick<McpTools, 'tools' | 'warnings'> {
  const tools = new Map<string, Tool>();
  const warnings: string[] = [];
  for (const { name: server, described } of connected) {
    const access = accessTo(server, options);
    for (const one of described) {
      const name = mcpToolName(server, one.name);
      if (name === undefined)
        warnings.push(
          `MCP server ${server}: the name of its tool ${one.name.slice(0, 40)}… is too long; the tool is left out.`,
        );
      else if (tools.has(name))
        warnings.push(`MCP server ${server}: there are two tools ${name}; the second is left out.`);
      else tools.set(name, mcpTool(name, one, access));
    }
  }
  return { tools: [...tools.values()], warnings };
}

function accessTo(name: string, { servers, connections, limits, save }: McpToolsOptions) {
  return {
    name,
    source: servers.get(name)?.source ?? 'dynamic',
    maxCharacters: limits.maxCharacters,
    save: save(name),
    reasonOf,
    call: async (tool: string, input: Readonly<Record<string, unknown>>, signal: AbortSignal) => {
      // a server that died is started again
      const client = await untilAborted(connections.client(name), signal);
      return await client.callTool({ name: tool, arguments: input }, undefined, { signal, timeout: limits.callMs });
    },
  };
}

function instructionsOf(connected: readonly Connected[]): string | undefined {
  const said = connected.flatMap(({ name, instructions }) =>
    instructions?.trim() ? [`## ${name}\n${instructions.trim().slice(0, MAX_INSTRUCTIONS)}`] : [],
  );
  if (said.length === 0) return undefined;
  return `These MCP servers say how to use their tools:\n\n${said.join('\n\n')}`;
}

function failedWords(failed: readonly Extract<Started, { type: 'failed' }>[], { connectMs }: McpLimits): string {
  const names = failed.map(({ name, why }) => `${name} (${why})`).join('; ');
  return `MCP servers that could not be used, so their tools are missing: ${names}. MCP_TIMEOUT sets how long to wait for each (${connectMs} ms).`;
}
