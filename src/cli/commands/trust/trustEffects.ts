import path from 'node:path';
import type { ConfiguredHook } from '../../../hooks/configuredHook.ts';
import { formatJsonPath, type JsonPath, locateJsonPath } from '../../../schemas/json.ts';
import { remoteServer, stdioServer } from '../../../schemas/mcpServers.ts';
import type { AgentDefinition } from '../../../session/agents/loadAgents.ts';
import { loadInstructions } from '../../../session/instructions/loadInstructions.ts';
import type { LoadedSettings, SettingsLayer } from '../../../session/settings/types.ts';
import { withoutDangerousSettings } from '../../../session/settings/untrustedSettings.ts';
import { findConfig } from '../../../stop/checks/findConfig.ts';
import { readConfigFile } from '../../../stop/checks/readConfig.ts';
import type { Check } from '../../../stop/checks/types.ts';
import { shellWord } from '../../../system/shellWords.ts';
import type { World } from '../../../system/world.ts';
import { agentFiles } from '../../wiring/agentFiles.ts';
import { gatherHooks } from '../../wiring/configuredHooks.ts';
import { type ConfiguredServer, gatherMcpServers } from '../../wiring/mcpServers.ts';
import { readSettings } from '../../wiring/readSettings.ts';

/** A hook of the project, and why it would not run even with trust, if so. */
export interface HookEffect {
  readonly hook: ConfiguredHook;
  readonly stillNot: string | null;
}

/** A setting that needs trust, with its values. */
export interface SettingEffect {
  readonly file: string;
  readonly line?: number;
  readonly path: string;
  readonly because: string;
  readonly values: readonly string[];
}

export interface ServerEffect {
  readonly name: string;
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface CheckEffect {
  readonly name: string;
  /** As written: a shell command, or a list of words. */
  readonly command: string;
  readonly cwd: string;
  readonly file: string;
}

/** Everything that a folder's own files can do only once it is trusted. */
export interface TrustEffects {
  readonly hooks: readonly HookEffect[];
  readonly settings: readonly SettingEffect[];
  readonly mcpServers: readonly ServerEffect[];
  readonly checks: readonly CheckEffect[];
  /** Files outside the project that its instructions import. */
  readonly instructions: readonly string[];
  /** Settings files that cannot be read, so that their effect is unknown. */
  readonly problems: readonly string[];
}

/** Compares the folder (`world.cwd`) as read without and with trust. */
export async function trustEffects(world: World): Promise<TrustEffects> {
  const [before, after, files] = await Promise.all([
    readSettings({}, world, false),
    readSettings({}, world, true),
    agentFiles(world, true),
  ]);
  const { checks, problems } = await checkEffects(world.cwd);
  return {
    hooks: hookEffects(after, files.agents, world),
    settings: after.layers.filter(isOfProject).flatMap(settingEffects),
    mcpServers: await serverEffects(before, after, world),
    checks,
    instructions: await importedFiles(world),
    problems: [
      ...[...after.problems, ...files.problems].flatMap(({ level, message }) => (level === 'error' ? [message] : [])),
      ...problems,
    ],
  };
}

const isOfProject = ({ source }: { readonly source: string }) => source === 'project' || source === 'local';

function hookEffects(
  settings: LoadedSettings,
  agents: readonly AgentDefinition[],
  world: World,
): readonly HookEffect[] {
  const { hooks, skipped } = gatherHooks({ settings, trusted: true, bare: false, env: world.env, agents });
  return [
    ...hooks.map((hook) => ({ hook, stillNot: null })),
    ...skipped.map(({ hook, reason }) => ({ hook, stillNot: reason })),
  ].filter(({ hook }) => isOfProject(hook));
}

function settingEffects({ file, text, settings }: SettingsLayer): readonly SettingEffect[] {
  return withoutDangerousSettings(settings).skipped.map(({ path, because }) => {
    const line = locateJsonPath(text, path)?.line;
    const values = valuesOf(valueAt(settings, path));
    return { file, ...(line === undefined ? {} : { line }), path: formatJsonPath(path), because, values };
  });
}

function valueAt(settings: object, path: JsonPath): unknown {
  return path.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined),
    settings,
  );
}

function valuesOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(String);
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.entries(value).map(([name, one]) => `${name}=${String(one)}`);
}

/** The checks of the folder's own configuration: one in a parent folder needs the trust of that folder. */
async function checkEffects(folder: string): Promise<Pick<TrustEffects, 'checks' | 'problems'>> {
  const file = findConfig(folder);
  if (file === null) return { checks: [], problems: [] };
  const above = path.dirname(file);
  if (above !== path.resolve(folder)) {
    const problem = `The checks of ${file} also apply here; they run when ${above} is trusted: \`stopgate trust ${shellWord(above)}\`.`;
    return { checks: [], problems: [problem] };
  }
  const config = await readConfigFile(file);
  if (config.type === 'broken') return { checks: [], problems: [config.message] };
  if (config.type === 'none') return { checks: [], problems: [] };
  const checks = config.done.checks.map((check) => ({
    name: check.name,
    command: asWritten(check),
    cwd: check.cwd,
    file,
  }));
  return { checks, problems: [] };
}

const asWritten = ({ file, args, commandText }: Check): string =>
  file === '/bin/sh' && args[0] === '-c' && args[1] === commandText ? commandText : JSON.stringify([file, ...args]);

async function serverEffects(before: LoadedSettings, after: LoadedSettings, world: World) {
  const known = (await gatherMcpServers({ settings: before, world, trusted: false })).servers;
  const { servers } = await gatherMcpServers({ settings: after, world, trusted: true });
  const isNew = ([name, one]: [string, ConfiguredServer]) => JSON.stringify(known.get(name)) !== JSON.stringify(one);
  return [...servers].filter(isNew).map(([name, { server }]): ServerEffect => {
    const { command, args, env } = stdioServer.safeParse(server).data ?? {};
    if (command !== undefined) return { name, command: [command, ...(args ?? [])].join(' '), env: env ?? {} };
    const { url = '', headers = {} } = remoteServer.safeParse(server).data ?? {};
    return { name, command: url, env: headers };
  });
}

async function importedFiles(world: World): Promise<readonly string[]> {
  const { cwd, homeDir, env } = world;
  const [before, after] = await Promise.all(
    [false, true].map((trusted) => loadInstructions({ cwd, homeDir, env, trusted })),
  );
  const known = new Set(before?.files.map(({ path }) => path));
  return after?.files.map(({ path }) => path).filter((path) => !known.has(path)) ?? [];
}

export function isNothing({ hooks, settings, mcpServers, checks, instructions }: TrustEffects): boolean {
  return hooks.length + settings.length + mcpServers.length + checks.length + instructions.length === 0;
}
