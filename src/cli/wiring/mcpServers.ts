import path from 'node:path';
import { mcpFile, mcpServers, type StdioServer, stdioServer } from '../../schemas/mcpServers.ts';
import type { LoadedSettings } from '../../session/settings/types.ts';
import { readTextFile } from '../../system/readTextFile.ts';
import type { World } from '../world.ts';

export interface McpConfiguration {
  readonly servers: ReadonlyMap<string, StdioServer>;
  readonly warnings: readonly string[];
}

const MAX_BYTES = 1_000_000;

/**
 * MCP servers by name: `mcpServers` of the settings files, and the project's `.mcp.json` when the project is trusted,
 * since a server is a command that somebody else may have written.
 */
export async function gatherMcpServers(
  settings: LoadedSettings,
  world: World,
  trusted: boolean,
): Promise<McpConfiguration> {
  const servers = new Map<string, StdioServer>();
  const warnings: string[] = [];
  const take = (value: unknown, file: string) => {
    for (const [name, entry] of Object.entries(mcpServers.safeParse(value).data ?? {})) {
      const server = stdioServer.safeParse(entry);
      if (server.success) servers.set(name, server.data);
      else
        warnings.push(
          `${file}: mcpServers.${name} is not a command to start (only stdio servers are supported); it is left out.`,
        );
    }
  };
  for (const { settings: layer, file } of settings.layers) take(layer.other.mcpServers, file);
  const project = path.join(world.cwd, '.mcp.json');
  const found = await readTextFile(project, MAX_BYTES);
  if (found.type === 'missing') return { servers, warnings };
  if (found.type === 'unreadable')
    return { servers, warnings: [...warnings, `${project} is left out: ${found.message}.`] };
  if (!trusted)
    warnings.push(`${project} is left out: this project is not trusted (stopgate trust, or --trust-project).`);
  else take(readMcpFile(found.text, project, warnings), project);
  return { servers, warnings };
}

function readMcpFile(text: string, file: string, warnings: string[]): unknown {
  try {
    const parsed = mcpFile.safeParse(JSON.parse(text));
    if (parsed.success) return parsed.data.mcpServers;
    warnings.push(`${file} has no "mcpServers" object; it is left out.`);
  } catch (error) {
    warnings.push(`${file} is not JSON (${(error as Error).message}); it is left out.`);
  }
  return {};
}
