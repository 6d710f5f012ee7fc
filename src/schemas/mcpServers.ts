import * as z from 'zod';

// built on demand: most sessions have no server

/** A server that is started as a command. */
export const stdioServer = z.lazy(() =>
  z.looseObject({
    type: z.literal('stdio').optional(),
    command: z.string().min(1),
    args: z.array(z.string()).default([]),
    env: z.record(z.string(), z.string()).default({}),
  }),
);

/** A server that runs elsewhere. */
export const remoteServer = z.lazy(() =>
  z.looseObject({
    type: z.enum(['http', 'streamable-http', 'sse']),
    url: z.string().min(1),
    headers: z.record(z.string(), z.string()).default({}),
  }),
);

export const mcpServer = z.lazy(() => z.union([stdioServer, remoteServer]));

export const mcpServers = z.record(z.string(), z.unknown());

/** A `.mcp.json` file. */
export const mcpFile = z.lazy(() => z.looseObject({ mcpServers }));

/** The servers in Claude Code's `~/.claude.json`: for all folders, and for single ones. */
export const claudeJson = z.lazy(() =>
  z.looseObject({
    mcpServers: mcpServers.optional(),
    projects: z.record(z.string(), z.looseObject({ mcpServers: mcpServers.optional() })).optional(),
  }),
);

/** One entry of `allowedMcpServers` or `deniedMcpServers`: a server's name, command or address. */
export const mcpServerMatch = z.union([
  z.looseObject({ serverName: z.string() }),
  z.looseObject({ serverCommand: z.array(z.string()) }),
  z.looseObject({ serverUrl: z.string() }),
]);

/** The settings that decide which servers may be used. */
export const mcpPolicy = z.looseObject({
  allowedMcpServers: z.array(mcpServerMatch).optional(),
  deniedMcpServers: z.array(mcpServerMatch).optional(),
  disabledMcpjsonServers: z.array(z.string()).optional(),
});

export type StdioServer = z.output<typeof stdioServer>;
export type RemoteServer = z.output<typeof remoteServer>;
export type McpServer = StdioServer | RemoteServer;
/** Whether a server is started as a command. */
export const isStarted = (server: McpServer): server is StdioServer =>
  server.type === undefined || server.type === 'stdio';

export type McpServerMatch = z.output<typeof mcpServerMatch>;
