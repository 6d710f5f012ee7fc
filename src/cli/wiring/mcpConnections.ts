import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { CallMcpTool, McpAnswer } from '../../hooks/kinds/mcpTool.ts';
import type { StdioServer } from '../../schemas/mcpServers.ts';
import { version } from '../version.ts';
import type { World } from '../world.ts';

export interface McpConnections {
  readonly call: CallMcpTool;
  close(): Promise<void>;
}

/** Servers are started when they are first asked and stay until the session ends. The SDK is loaded then, not before. */
export function mcpConnections(servers: ReadonlyMap<string, StdioServer>, world: World): McpConnections {
  const clients = new Map<string, Promise<Client>>();
  const clientOf = (name: string, server: StdioServer): Promise<Client> => {
    const known = clients.get(name) ?? connect(server, world);
    clients.set(name, known);
    // a server that could not be reached is tried again the next time
    known.catch(() => clients.delete(name));
    return known;
  };
  return {
    call: async ({ server, tool, input, signal }) => {
      const configured = servers.get(server);
      const known = [...servers.keys()].join(', ') || 'none';
      if (!configured) return { type: 'failed', message: `there is no MCP server '${server}' (known: ${known})` };
      try {
        const client = await clientOf(server, configured);
        return answerOf(await client.callTool({ name: tool, arguments: input }, undefined, { signal }));
      } catch (error) {
        return { type: 'failed', message: `${server}/${tool} failed: ${(error as Error).message}` };
      }
    },
    close: async () => {
      const open = await Promise.allSettled(clients.values());
      await Promise.allSettled(open.map((one) => (one.status === 'fulfilled' ? one.value.close() : undefined)));
    },
  };
}

async function connect(server: StdioServer, world: World): Promise<Client> {
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
  const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
  const client = new Client({ name: 'stopgate', version });
  const { command, args, env } = server;
  await client.connect(
    new StdioClientTransport({ command, args, env: { ...world.env, ...env }, cwd: world.cwd, stderr: 'ignore' }),
  );
  return client;
}

function answerOf(result: Awaited<ReturnType<Client['callTool']>>): McpAnswer {
  const content = Array.isArray(result.content) ? result.content : [];
  const text = content
    .map((part: { type: string; text?: string }) => (part.type === 'text' ? (part.text ?? '') : ''))
    .join('\n');
  return { type: 'ok', text, ...(result.isError ? { isError: true } : {}) };
}
