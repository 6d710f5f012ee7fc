import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallMcpTool, McpAnswer } from '../../hooks/kinds/mcpTool.ts';
import { isStarted, type RemoteServer, type StdioServer } from '../../schemas/mcpServers.ts';
import type { Environment } from '../../system/environment.ts';
import { environmentFor } from '../../system/secretPolicy.ts';
import { version } from '../../system/version.ts';
import { reasonOf } from '../../tools/mcp/mcpTool.ts';
import { CALL_MS, CONNECT_MS } from './mcp/mcpLimits.ts';
import type { ConfiguredServer } from './mcpServers.ts';

export interface McpConnections {
  /** For hooks: the text of a tool's result. */
  readonly call: CallMcpTool;
  /** The connection to a configured server, opened on first use. Rejects when it cannot be reached. */
  client(server: string): Promise<Client>;
  close(): Promise<void>;
}

interface Connection {
  readonly client: Promise<Client>;
  /** Ends the server even if it never answered. */
  end(): Promise<void>;
}

/** Where servers are started, and their variables, including secrets. */
interface McpPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** How long a server may take to answer first. */
  readonly connectMs?: number;
}

/** Servers start on first use, which also loads the SDK, and run until the session ends. */
export function mcpConnections(servers: ReadonlyMap<string, ConfiguredServer>, place: McpPlace): McpConnections {
  const connections = new Map<string, Connection>();
  // including those that failed: they may still be ending
  const all = new Set<Connection>();
  const client = (name: string): Promise<Client> => {
    const configured = servers.get(name);
    const known = [...servers.keys()].join(', ') || 'none';
    if (!configured) return Promise.reject(new Error(`unknown MCP server '${name}' (known: ${known})`));
    const present = connections.get(name);
    if (present) return present.client;
    const made = connect(configured, place);
    connections.set(name, made);
    all.add(made);
    // the next use tries again
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
 * The SDK closes a failed connection without waiting, and a second `close` returns immediately: a server that ends slowly
 * would outlive this process. Here every `close` waits for the same end.
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
    command: expandText(command, place.env),
    args: args.map((word) => expandText(word, place.env)),
    env: { ...environmentFor('mcpServer', place.env), ...expandVariables(env, place.env) },
    cwd: place.cwd,
    stderr: 'ignore',
  });
}

async function remoteTransport({ type, url, headers }: RemoteServer, { env }: McpPlace): Promise<Transport> {
  const address = new URL(expandText(url, env));
  const requestInit = { headers: expandVariables(headers, env) };
  if (type === 'sse') {
    const { SSEClientTransport } = await import('@modelcontextprotocol/sdk/client/sse.js');
    return new SSEClientTransport(address, { requestInit });
  }
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
  // its `sessionId` may be undefined, unlike in the interface it implements
  return new StreamableHTTPClientTransport(address, { requestInit }) as Transport;
}

function answerOf(result: Awaited<ReturnType<Client['callTool']>>): McpAnswer {
  const content = Array.isArray(result.content) ? result.content : [];
  const text = content
    .map((part: { type: string; text?: string }) => (part.type === 'text' ? (part.text ?? '') : ''))
    .join('\n');
  return { type: 'ok', text, ...(result.isError ? { isError: true } : {}) };
}

/** `${NAME}` and `${NAME:-default}`, as in `.mcp.json`. An unset name without a default stays unchanged. */
const VARIABLE = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

const expandText = (text: string, env: Environment): string =>
  text.replaceAll(
    VARIABLE,
    (written, name: string, fallback: string | undefined) => env[name] || (fallback ?? written),
  );

/** A server's own `env`, which may name secrets without containing them. */
export function expandVariables(values: Readonly<Record<string, string>>, env: Environment): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, expandText(value, env)]));
}
