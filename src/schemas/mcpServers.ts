import * as z from 'zod';

/** A server that is started as a command; the only kind Stopgate connects to so far. */
export const stdioServer = z.looseObject({
  type: z.literal('stdio').optional(),
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
});

export const mcpServers = z.record(z.string(), z.unknown());

/** A `.mcp.json` file. */
export const mcpFile = z.looseObject({ mcpServers });

export type StdioServer = z.output<typeof stdioServer>;
