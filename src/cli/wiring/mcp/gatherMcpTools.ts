import { mergedEnvironment } from '../../../system/secretPolicy.ts';
import type { World } from '../../../system/world.ts';
import type { GatheredSession } from '../gatherSession.ts';
import type { McpConnections } from '../mcpConnections.ts';
import { toolResultFolder } from '../openHooks.ts';
import { mcpLimits } from './mcpLimits.ts';
import type { McpTools } from './openMcpTools.ts';

export interface McpToolsWiring {
  readonly gathered: GatheredSession;
  readonly world: World;
  readonly connections: McpConnections;
  readonly signal: AbortSignal;
}

const NO_TOOLS: McpTools = { tools: [], status: [], instructions: undefined, warnings: [] };

/** The tools of a session's MCP servers. Nothing is loaded for it where none is configured. */
export async function gatherMcpTools({ gathered, world, connections, signal }: McpToolsWiring): Promise<McpTools> {
  const { mcpServers: servers, settings } = gathered;
  if (servers.size === 0) return NO_TOOLS;
  const [{ openMcpTools }, { saveToFolder }] = await Promise.all([
    import('./openMcpTools.ts'),
    import('./savedFile.ts'),
  ]);
  const limits = mcpLimits(mergedEnvironment(world.env, settings.merged.env));
  const save = (server: string) => saveToFolder(toolResultFolder(gathered), server, world.ids);
  return openMcpTools({ servers, connections, limits, signal, save });
}
