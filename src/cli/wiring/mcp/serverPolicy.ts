import * as z from 'zod';
import {
  isStarted,
  type McpServer,
  type McpServerMatch,
  mcpPolicy,
  mcpServerMatch,
} from '../../../schemas/mcpServers.ts';
import { starPattern } from '../../../system/starPattern.ts';

/** Where a server's configuration was found, as Claude Code names it. */
export type McpSource = 'dynamic' | 'local' | 'project' | 'user';

/** The lists of all layers together. An invalid list allows nothing: a typing mistake must not open a gate. */
export function mcpPolicyOf(layers: readonly Readonly<Record<string, unknown>>[]) {
  const allowed = layers.flatMap(({ allowedMcpServers: list }) =>
    list === undefined ? [] : [z.array(mcpServerMatch).safeParse(list).data ?? []],
  );
  const { deniedMcpServers: denied, disabledMcpjsonServers: disabled } = mcpPolicy.shape;
  return {
    /** Undefined: every server that is not denied. */
    allowed: allowed.length === 0 ? undefined : allowed.flat(),
    denied: layers.flatMap((layer) => denied.safeParse(layer.deniedMcpServers).data ?? []),
    /** Names of servers of `.mcp.json` that the user disabled. */
    disabled: layers.flatMap((layer) => disabled.safeParse(layer.disabledMcpjsonServers).data ?? []),
  };
}

/** The setting that excludes a server; undefined when it may be used. */
export function excludedBy(
  { name, server, source }: { readonly name: string; readonly server: McpServer; readonly source: McpSource },
  policy: ReturnType<typeof mcpPolicyOf>,
): string | undefined {
  const fits = (match: McpServerMatch) => matches(match, name, server);
  if (policy.denied.some(fits)) return 'deniedMcpServers';
  if (policy.allowed !== undefined && !policy.allowed.some(fits)) return 'allowedMcpServers';
  return source === 'project' && policy.disabled.includes(name) ? 'disabledMcpjsonServers' : undefined;
}

function matches(match: McpServerMatch, name: string, server: McpServer): boolean {
  if ('serverName' in match) return match.serverName === name;
  if ('serverCommand' in match)
    return (
      isStarted(server) && JSON.stringify([server.command, ...server.args]) === JSON.stringify(match.serverCommand)
    );
  return !isStarted(server) && 'serverUrl' in match && starPattern(String(match.serverUrl)).test(server.url);
}
