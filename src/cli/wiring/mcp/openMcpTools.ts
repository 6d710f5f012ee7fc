import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { formatDuration } from '../../../system/formatDuration.ts';
import { type McpToolDescription, mcpTool, mcpToolName, reasonOf } from '../../../tools/mcp/mcpTool.ts';
import type { Tool } from '../../../tools/tool.ts';
import type { McpConnections } from '../mcpConnections.ts';
import type { ConfiguredServer } from '../mcpServers.ts';
import type { McpLimits } from './mcpLimits.ts';

export interface McpTools {
  readonly tools: readonly Tool[];
  /** Each server's state at the start, for the first line of stream-json. */
  readonly status: readonly { readonly name: string; readonly status: Started['type']; readonly source: string }[];
  /** The servers' own usage instructions; undefined when there are none. */
  readonly instructions: string | undefined;
  readonly warnings: readonly string[];
}

interface McpToolsOptions {
  readonly servers: ReadonlyMap<string, ConfiguredServer>;
  readonly connections: Pick<McpConnections, 'client'>;
  readonly limits: McpLimits;
  readonly signal: AbortSignal;
  readonly save: (server: string) => (bytes: Buffer, mediaType: string) => Promise<string>;
}

const MAX_INSTRUCTIONS = 2048;
/** A server with endless pages must not block the start. */
const MAX_PAGES = 50;

type Started =
  | {
      readonly type: 'connected';
      readonly name: string;
      readonly described: readonly McpToolDescription[];
      readonly instructions?: string | undefined;
    }
  | { readonly type: 'failed'; readonly name: string; readonly why: string };

/** Starts all servers in parallel and lists their tools; a server that fails is reported and skipped. */
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
    warnings: [...limits.warnings, ...(failed.length > 0 ? [describeFailed(failed, limits)] : []), ...warnings],
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
    const why = timeLimit.aborted ? `no answer within ${formatDuration(limits.connectMs)}` : reasonOf(error);
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

async function listTools(client: Client, signal: AbortSignal, { connectMs }: McpLimits) {
  if (client.getServerCapabilities()?.tools === undefined) return [];
  const all: McpToolDescription[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES && (page === 0 || cursor !== undefined); page++) {
    const answer = await client.listTools(cursor === undefined ? {} : { cursor }, { signal, timeout: connectMs });
    all.push(...answer.tools);
    cursor = answer.nextCursor;
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
          `MCP server ${server}: the name of its tool ${one.name.slice(0, 40)}… is too long; the tool is skipped.`,
        );
      else if (tools.has(name)) warnings.push(`MCP server ${server}: it has two tools ${name}; the second is skipped.`);
      else tools.set(name, mcpTool(name, one, access));
    }
  }
  return { tools: [...tools.values()], warnings };
}

function accessTo(name: string, { servers, connections, limits, save }: McpToolsOptions) {
  return {
    server: name,
    source: servers.get(name)?.source ?? 'dynamic',
    maxCharacters: limits.maxCharacters,
    save: save(name),
    call: async (tool: string, input: Readonly<Record<string, unknown>>, signal: AbortSignal) => {
      // restarts a server that died
      const client = await untilAborted(connections.client(name), signal);
      return await client.callTool({ name: tool, arguments: input }, undefined, { signal, timeout: limits.callMs });
    },
  };
}

function instructionsOf(connected: readonly Connected[]): string | undefined {
  const texts = connected.flatMap(({ name, instructions }) =>
    instructions?.trim() ? [`## ${name}\n${instructions.trim().slice(0, MAX_INSTRUCTIONS)}`] : [],
  );
  if (texts.length === 0) return undefined;
  return `Instructions of MCP servers for their tools:\n\n${texts.join('\n\n')}`;
}

function describeFailed(failed: readonly Extract<Started, { type: 'failed' }>[], { connectMs }: McpLimits): string {
  const names = failed.map(({ name, why }) => `${name} (${why})`).join('; ');
  return `MCP servers that failed, so their tools are missing: ${names}. MCP_TIMEOUT sets the longest wait for each (${formatDuration(connectMs)}).`;
}
