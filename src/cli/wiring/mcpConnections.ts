import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { CallMcpTool, McpAnswer } from '../../hooks/kinds/mcpTool.ts';
import type { StdioServer } from '../../schemas/mcpServers.ts';
import { environmentFor } from '../../system/secretPolicy.ts';
import { version } from '../version.ts';
import { expandVariables } from './expandVariables.ts';

export interface McpConnections {
  readonly call: CallMcpTool;
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
}

const CONNECT_MS = 30_000;

/** Servers are started when they are first asked and stay until the session ends. The SDK is loaded then, not before. */
export function mcpConnections(servers: ReadonlyMap<string, StdioServer>, place: McpPlace): McpConnections {
  const connections = new Map<string, Connection>();
  const connectionTo = (name: string, server: StdioServer): Connection => {
    const known = connections.get(name) ?? connect(server, place);
    connections.set(name, known);
    // a server that could not be reached is tried again the next time
    known.client.catch(() => connections.delete(name));
    return known;
  };
  return {
    call: async ({ server, tool, input, signal }) => {
      const configured = servers.get(server);
      const known = [...servers.keys()].join(', ') || 'none';
      if (!configured) return { type: 'failed', message: `there is no MCP server '${server}' (known: ${known})` };
      try {
        const client = await connectionTo(server, configured).client;
        return answerOf(await client.callTool({ name: tool, arguments: input }, undefined, { signal }));
      } catch (error) {
        return { type: 'failed', message: `${server}/${tool} failed: ${(error as Error).message}` };
      }
    },
    close: async () => {
      await Promise.allSettled([...connections.values()].map((connection) => connection.end()));
    },
  };
}

function connect(server: StdioServer, place: McpPlace): Connection {
  const { command, args, env } = server;
  const opening = Promise.all([
    import('@modelcontextprotocol/sdk/client/index.js'),
    import('@modelcontextprotocol/sdk/client/stdio.js'),
  ]).then(([{ Client }, { StdioClientTransport }]) => ({
    client: new Client({ name: 'stopgate', version }),
    transport: new StdioClientTransport({
      command,
      args,
      env: { ...environmentFor('mcpServer', place.env), ...expandVariables(env, place.env) },
      cwd: place.cwd,
      stderr: 'ignore',
    }),
  }));
  const client = opening.then(async (open) => {
    await open.client.connect(open.transport, { timeout: CONNECT_MS });
    return open.client;
  });
  return { client, end: async () => (await opening).transport.close() };
}

function answerOf(result: Awaited<ReturnType<Client['callTool']>>): McpAnswer {
  const content = Array.isArray(result.content) ? result.content : [];
  const text = content
    .map((part: { type: string; text?: string }) => (part.type === 'text' ? (part.text ?? '') : ''))
    .join('\n');
  return { type: 'ok', text, ...(result.isError ? { isError: true } : {}) };
}
