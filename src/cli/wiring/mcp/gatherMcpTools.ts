import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Ids, shortId } from '../../../system/ids.ts';
import { ownValue } from '../../../system/ownValue.ts';
import { mergedEnvironment } from '../../../system/secretPolicy.ts';
import type { World } from '../../../system/world.ts';
import type { GatheredSession } from '../gatherSession.ts';
import type { McpConnections } from '../mcpConnections.ts';
import { toolResultFolder } from '../sessionPlaces.ts';
import { mcpLimits } from './mcpLimits.ts';
import type { McpTools } from './openMcpTools.ts';

interface McpToolsWiring {
  readonly gathered: GatheredSession;
  readonly world: World;
  readonly connections: McpConnections;
  readonly signal: AbortSignal;
}

const NO_TOOLS: McpTools = { tools: [], status: [], instructions: undefined, warnings: [] };

/** The tools of a session's MCP servers; without a server nothing is loaded. */
export async function gatherMcpTools({ gathered, world, connections, signal }: McpToolsWiring): Promise<McpTools> {
  const { mcpServers: servers, settings } = gathered;
  if (servers.size === 0) return NO_TOOLS;
  const { openMcpTools } = await import('./openMcpTools.ts');
  const limits = mcpLimits(mergedEnvironment(world.env, settings.merged.env));
  const save = (server: string) => saveToFolder(toolResultFolder(gathered), server, world.ids);
  return openMcpTools({ servers, connections, limits, signal, save });
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'audio/wav': 'wav',
  'audio/mpeg': 'mp3',
  'application/pdf': 'pdf',
  'application/json': 'json',
  'text/plain': 'txt',
};

/** Saves a file from a server that a model cannot read, under a name that the server does not choose. */
function saveToFolder(folder: string, server: string, ids: Ids) {
  return async (bytes: Buffer, mediaType: string): Promise<string> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const name = `mcp-${server.replaceAll(/[^\w-]/g, '_').slice(0, 60)}-${shortId(ids)}`;
    const file = path.join(folder, `${name}.${ownValue(EXTENSIONS, mediaType) ?? 'bin'}`);
    await writeFile(file, bytes, { mode: 0o600, flag: 'wx' });
    return file;
  };
}
