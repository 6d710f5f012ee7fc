import path from 'node:path';
import * as z from 'zod';
import { jsonValue } from '../../schemas/jsonValue.ts';
import {
  claudeJson,
  isStarted,
  type McpServer,
  type McpServerMatch,
  mcpFile,
  mcpPolicy,
  mcpServer,
  mcpServerMatch,
  mcpServers,
} from '../../schemas/mcpServers.ts';
import type { LoadedSettings } from '../../session/settings/types.ts';
import type { FolderTrust } from '../../session/trust/folderTrust.ts';
import { serverItem } from '../../session/trust/trustItem.ts';
import { readTextFile } from '../../system/readTextFile.ts';
import { starPattern } from '../../system/starPattern.ts';
import { UserError } from '../../system/userError.ts';
import type { World } from '../../system/world.ts';
import { jsonFromFlag } from './flagJson.ts';
import type { PromptFlags } from './promptFlags.ts';

export interface ConfiguredServer {
  readonly server: McpServer;
  readonly source: McpSource;
}

interface McpFacts {
  readonly settings: LoadedSettings;
  readonly world: World;
  readonly trust: FolderTrust;
  readonly flags?: Pick<PromptFlags, 'mcpConfig' | 'strictMcpConfig' | 'bare'>;
}

/** The servers of one place. */
interface Found {
  readonly value: unknown;
  readonly place: string;
  readonly source: McpSource;
  /** Of the repository's own files. */
  readonly needsTrust?: boolean;
}

const MAX_BYTES = 1_000_000;
/** Claude Code's own file grows with every folder it was used in. */
const MAX_CLAUDE_JSON_BYTES = 20_000_000;

/**
 * MCP servers by name; later places take precedence: `mcpServers` of the settings files and of Claude Code's `~/.claude.json`,
 * `.mcp.json` of a trusted project (a server is a command that another person may have written), the user's own for this
 * folder, `--mcp-config`.
 */
export async function gatherMcpServers({ settings, world, trust, flags }: McpFacts) {
  const warnings: string[] = [];
  const fromFlags = await Promise.all((flags?.mcpConfig ?? []).map((value) => serversFromFlag(value, world.cwd)));
  const onlyFlags = flags?.strictMcpConfig === true || flags?.bare === true;
  const found: Found[] = [
    ...(onlyFlags ? [] : await fromFiles({ settings, world, trust }, warnings)),
    ...fromFlags.map(({ servers: value, place }) => ({ value, place, source: 'dynamic' as const })),
  ];
  const policy = mcpPolicyOf(settings.layers.map(({ settings: layer }) => layer.other));
  const servers = new Map<string, ConfiguredServer>();
  for (const { value, place, source, needsTrust = false } of found)
    for (const [name, entry] of Object.entries(mcpServers.safeParse(value).data ?? {})) {
      const { data: server } = mcpServer.safeParse(entry);
      const exclusion = server && excludedBy({ name, server, source }, policy);
      const untrusted = server && needsTrust ? trust.whyNot(serverItem(name, server)) : null;
      if (server === undefined)
        warnings.push(`${place}: mcpServers.${name} has neither a command nor a type and url; it is ignored.`);
      else if (exclusion !== undefined) warnings.push(`${place}: mcpServers.${name} is excluded by ${exclusion}.`);
      else if (untrusted !== null) warnings.push(`${place}: mcpServers.${name} is not started: ${untrusted}.`);
      else servers.set(name, { server, source });
    }
  return { servers, warnings };
}

/** One value of `--mcp-config`: a JSON object or the path of a file with one. */
async function serversFromFlag(value: string, cwd: string) {
  const { place, json } = await jsonFromFlag('--mcp-config', value, cwd);
  const parsed = mcpFile.safeParse(json);
  if (parsed.success) return { place, servers: parsed.data.mcpServers };
  throw new UserError(`${place} has no "mcpServers" object; use {"mcpServers": {"NAME": {"command": "…"}}}.`);
}

async function fromFiles({ settings, world, trust }: McpFacts, warnings: string[]): Promise<readonly Found[]> {
  const [own, project] = await Promise.all([fromClaudeJson(world), fromProject(world, trust, warnings)]);
  const layers = settings.layers.map(({ settings: layer, file, source }): Found => {
    const needsTrust = source === 'project' || source === 'local';
    return { value: layer.other.mcpServers, place: file, source: SOURCES[source], needsTrust };
  });
  return [...layers, ...own.everywhere, ...project, ...own.here];
}

const SOURCES = { user: 'user', project: 'project', local: 'local', flag: 'dynamic', managed: 'user' } as const;

/** Servers of `claude mcp add`. A broken file gets no warning: it is Claude Code's own. */
async function fromClaudeJson({ cwd, homeDir, env }: World) {
  const place = path.join(env.CLAUDE_CONFIG_DIR || homeDir, '.claude.json');
  const read = await readTextFile(place, MAX_CLAUDE_JSON_BYTES);
  const nothing: { everywhere: readonly Found[]; here: readonly Found[] } = { everywhere: [], here: [] };
  if (read.type !== 'read' || read.cut || !read.text.includes('"mcpServers"')) return nothing;
  const { data } = claudeJson.safeParse(jsonValue(read.text));
  if (data === undefined) return nothing;
  return {
    everywhere: [{ value: data.mcpServers, place, source: 'user' } satisfies Found],
    here: [{ value: data.projects?.[cwd]?.mcpServers, place, source: 'local' } satisfies Found],
  };
}

async function fromProject({ cwd }: World, trust: FolderTrust, warnings: string[]): Promise<readonly Found[]> {
  const place = path.join(cwd, '.mcp.json');
  const found = await readTextFile(place, MAX_BYTES);
  if (found.type === 'missing') return [];
  if (found.type === 'unreadable') warnings.push(`${place} is ignored: ${found.message}.`);
  else if (trust.level === 'none')
    warnings.push(`${place} is ignored: this project is not trusted (use stopgate trust, or --trust-project).`);
  else return [{ value: readMcpFile(found.text, place, warnings), place, source: 'project', needsTrust: true }];
  return [];
}

function readMcpFile(text: string, file: string, warnings: string[]): unknown {
  try {
    const parsed = mcpFile.safeParse(JSON.parse(text));
    if (parsed.success) return parsed.data.mcpServers;
    warnings.push(`${file} has no "mcpServers" object; it is ignored.`);
  } catch (error) {
    warnings.push(`${file} is not JSON (${(error as Error).message}); it is ignored.`);
  }
  return {};
}

/** Where a server's configuration was found, as Claude Code names it. */
type McpSource = 'dynamic' | 'local' | 'project' | 'user';

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
