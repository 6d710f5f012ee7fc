import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallMcpTool, McpAnswer } from '../../hooks/kinds/mcpTool.ts';
import { isStarted, type RemoteServer, type StdioServer } from '../../schemas/mcpServers.ts';
import { environmentFor } from '../../system/secretPolicy.ts';
import { version } from '../../system/version.ts';
import { expandVariables, expandWords } from './expandVariables.ts';
import { CALL_MS, CONNECT_MS } from './mcp/mcpLimits.ts';
import type { ConfiguredServer } from './mcpServers.ts';

export interface McpConnections {
  /** For hooks: a tool's text. */
  readonly call: CallMcpTool;
  /** The connection to a configured server, made when it is first asked for. Rejects when it cannot be reached. */
  client(server: string): Promise<Client>;
  close(): Promise<void>;
}

interface Connection {
  readonly client: Promise<Client>;
  /** Ends the server whether or not it ever answered. */
  end(): Promise<void>;
}

/** Where servers are started, and with which variables, secrets included. */
export interface McpPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** What a server may take to answer for the first time. */
  readonly connectMs?: number;
}

/** Servers are started when they are first asked and stay until the session ends. The SDK is loaded then, not before. */
export function mcpConnections(servers: ReadonlyMap<string, ConfiguredServer>, place: McpPlace): McpConnections {
  const connections = new Map<string, Connection>();
  // also those that failed: their end may still be under way
  const all = new Set<Connection>();
  const client = (name: string): Promise<Client> => {
    const configured = servers.get(name);
    const known = [...servers.keys()].join(', ') || 'none';
    if (!configured) return Promise.reject(new Error(`there is no MCP server '${name}' (known: ${known})`));
    const present = connections.get(name);
    if (present) return present.client;
    const made = connect(configured, place);
    connections.set(name, made);
    all.add(made);
    // a server that could not be reached, or that died, is tried again the next time
    const forget = () => {
      if (connections.get(name) === made) connections.delete(name);
    };
    made.client.then((open) => {
      open.onclose = forget;
    }, forget);
    return made.client;
  };
  return {
    client,
    call: async ({ server, tool, input, signal }) => {
      if (!servers.has(server)) return { type: 'failed', message: await client(server).then(String, reasonOf) };
      try {
        const open = await client(server);
        return answerOf(await open.callTool({ name: tool, arguments: input }, undefined, { signal, timeout: CALL_MS }));
      } catch (error) {
        return { type: 'failed', message: `${server}/${tool} failed: ${reasonOf(error)}` };
      }
    },
    close: async () => {
      await Promise.allSettled([...all].map((connection) => connection.end()));
    },
  };
}

/** Why a connection or a call failed, without the code that the protocol puts before it. */
export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/^MCP error -?\d+: /, '');

function connect({ server }: ConfiguredServer, place: McpPlace): Connection {
  const opening = Promise.all([
    import('@modelcontextprotocol/sdk/client/index.js'),
    isStarted(server) ? childTransport(server, place) : remoteTransport(server, place),
  ]).then(([{ Client }, transport]) => ({
    client: new Client({ name: 'stopgate', version }),
    transport: closedOnce(transport),
  }));
  const client = opening.then(async (open) => {
    await open.client.connect(open.transport, { timeout: place.connectMs ?? CONNECT_MS });
    return open.client;
  });
  return { client, end: async () => (await opening).transport.close() };
}

/**
 * The SDK closes a connection that failed and does not wait for it, and a second `close` returns immediately: a server that
 * is slow to end would outlive us. All who close wait for the same end.
 */
function closedOnce(transport: Transport): Transport {
  const close = transport.close.bind(transport);
  let closing: Promise<void> | undefined;
  transport.close = () => {
    closing ??= close();
    return closing;
  };
  return transport;
}

async function childTransport({ command, args, env }: StdioServer, place: McpPlace): Promise<Transport> {
  const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
  return new StdioClientTransport({
    command: expandWords(command, place.env),
    args: args.map((word) => expandWords(word, place.env)),
    env: { ...environmentFor('mcpServer', place.env), ...expandVariables(env, place.env) },
    cwd: place.cwd,
    stderr: 'ignore',
  });
}

async function remoteTransport({ type, url, headers }: RemoteServer, { env }: McpPlace): Promise<Transport> {
  const address = new URL(expandWords(url, env));
  const requestInit = { headers: expandVariables(headers, env) };
  if (type === 'sse') {
    const { SSEClientTransport } = await import('@modelcontextprotocol/sdk/client/sse.js');
    return new SSEClientTransport(address, { requestInit });
  }
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
  // its `sessionId` may be undefined, which the interface it implements does not say
  return new StreamableHTTPClientTransport(address, { requestInit }) as Transport;
}

function answerOf(result: Awaited<ReturnType<Client['callTool']>>): McpAnswer {
  const content = Array.isArray(result.content) ? result.content : [];
  const text = content
    .map((part: { type: string; text?: string }) => (part.type === 'text' ? (part.text ?? '') : ''))
    .join('\n');
  return { type: 'ok', text, ...(result.isError ? { isError: true } : {}) };
}
