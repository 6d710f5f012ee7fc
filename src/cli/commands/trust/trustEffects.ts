import { realpathSync } from 'node:fs';
import path from 'node:path';
import { openGit } from '../../../git/git.ts';
import type { ConfiguredHook } from '../../../hooks/configuredHook.ts';
import { formatJsonPath, type JsonPath, locateJsonPath } from '../../../schemas/json.ts';
import { valueAt } from '../../../schemas/jsonValue.ts';
import { remoteServer, stdioServer } from '../../../schemas/mcpServers.ts';
import { statusLineCommand } from '../../../schemas/statusLine.ts';
import { type AgentDefinition, loadAgents } from '../../../session/agents/loadAgents.ts';
import { type ProjectCommand, projectCommands } from '../../../session/commands/findCommand.ts';
import { loadFolders, loadInstructions } from '../../../session/instructions/loadInstructions.ts';
import type { StartedCommand } from '../../../session/runFiles/runFiles.ts';
import { IDLE_KEYS, SCREEN_KEYS } from '../../../session/settings/claudeCodeNames.ts';
import type { LoadedSettings, SettingsLayer } from '../../../session/settings/types.ts';
import { itemsOfSettings, withoutDangerousSettings } from '../../../session/settings/untrustedSettings.ts';
import { type FolderTrust, TRUSTED, UNTRUSTED } from '../../../session/trust/folderTrust.ts';
import { agentItem, commandItem, importItem, serverItem } from '../../../session/trust/trustItem.ts';
import type { DefinitionOfDone } from '../../../stop/checks/types.ts';
import { listFiles } from '../../../stop/frozen/freeze.ts';
import { ownValue } from '../../../system/ownValue.ts';
import type { World } from '../../../system/world.ts';
import { agentFiles, agentFolders } from '../../wiring/agentFiles.ts';
import { gatherHooks } from '../../wiring/configuredHooks.ts';
import { type ConfiguredServer, gatherMcpServers } from '../../wiring/mcpServers.ts';
import { readSettings } from '../../wiring/readSettings.ts';
import { hookItem, isOurs, startedBy } from '../../wiring/trust/hookTrust.ts';
import { type Approvable, plainItem } from './approvable.ts';
import {
  approvableChecks,
  type CheckEffect,
  checkEffect,
  configHere,
  type DefinitionEffect,
  definitionEffect,
} from './checkEffects.ts';

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

/** A slash command or skill: its commands run, and its tools need no permission, only with trust. */
export type CommandEffect = Pick<ProjectCommand, 'name' | 'file' | 'grants'>;

/** Everything that a folder's own files can do only once it is trusted. */
export interface TrustEffects {
  readonly hooks: readonly HookEffect[];
  readonly settings: readonly SettingEffect[];
  readonly mcpServers: readonly ServerEffect[];
  readonly checks: readonly CheckEffect[];
  /** Null without a configuration of its own. */
  readonly definition: DefinitionEffect | null;
  readonly commands: readonly CommandEffect[];
  /** Agents of the folder that would replace a person's agent and its hooks. */
  readonly agents: readonly string[];
  /** Files outside the project that its instructions import. */
  readonly instructions: readonly string[];
  /** Settings files that cannot be read, so that their effect is unknown. */
  readonly problems: readonly string[];
}

export interface GatheredEffects {
  readonly effects: TrustEffects;
  /** The same, to be recorded and compared. */
  readonly approvable: readonly Approvable[];
  /** Null without a configuration of its own. */
  readonly done: DefinitionOfDone | null;
  /** Why the configuration cannot be approved; null when it can, or there is none. */
  readonly broken: string | null;
}

/** Compares the folder (`world.cwd`) as read without and with trust. */
export async function gatherEffects(world: World): Promise<GatheredEffects> {
  const [before, after, files, agents] = await Promise.all([
    readSettings({}, world, UNTRUSTED),
    readSettings({}, world, TRUSTED),
    agentFiles(world, TRUSTED),
    replacingAgents(world),
  ]);
  const config = await configHere(world.cwd);
  const hooks = hookEffects(after, files.agents, world);
  const servers = await newServers(before, after, world);
  const commands = await projectCommands(world.cwd);
  const instructions = await importedFiles(world);
  const layers = after.layers.filter(isOfProject);
  const problems = [...after.problems, ...files.problems].flatMap(({ level, message }) =>
    level === 'error' ? [message] : [],
  );
  return {
    effects: {
      hooks,
      settings: layers.flatMap(settingEffects),
      mcpServers: servers.map(serverEffect),
      checks: config.done?.checks.map((check) => checkEffect(check, config.done?.file ?? '')) ?? [],
      definition: config.done && definitionEffect(config.done),
      commands: commands.map(({ name, file, grants }) => ({ name, file, grants })),
      agents: agents.map(({ name }) => name),
      instructions,
      problems: [...problems, ...config.problems],
    },
    approvable: [
      ...hooks.filter(({ hook }) => !isOurs(hook)).map(({ hook }) => approvableHook(hook, world.cwd)),
      ...layers.flatMap(({ settings }) => itemsOfSettings(settings)).map((one) => approvableSetting(one, world.cwd)),
      ...servers.map((one) => approvableServer(one, world.cwd)),
      ...(config.done === null ? [] : approvableChecks(config.done)),
      ...commands.map((command) => approvableCommand(command, world.cwd)),
      ...agents.map(({ name, hooks: own }) => plainItem(agentItem(name, own), name)),
      ...instructions.map((file) => plainItem(importItem(file), file)),
    ],
    done: config.done,
    broken: config.broken,
  };
}

const isOfProject = ({ source }: { readonly source: string }) => source === 'project' || source === 'local';

function hookEffects(
  settings: LoadedSettings,
  agents: readonly AgentDefinition[],
  world: World,
): readonly HookEffect[] {
  const { hooks, skipped } = gatherHooks({ settings, trust: TRUSTED, world, bare: false, agents });
  return [
    ...hooks.map((hook) => ({ hook, stillNot: null })),
    ...skipped.map(({ hook, reason }) => ({ hook, stillNot: reason })),
  ].filter(({ hook }) => isOfProject(hook));
}

function approvableHook(hook: ConfiguredHook, projectDir: string): Approvable {
  const { event, kind, label, matcher } = hook;
  const condition = matcher === undefined ? '' : `  matcher ${JSON.stringify(matcher)}`;
  const started = startedBy(hook, { projectDir, cwd: projectDir });
  const starts = started === null ? [] : [started];
  return {
    item: hookItem(hook),
    shown: `${event}  ${kind}${condition}\n${label}`,
    isKept: true,
    starts,
    withModules: true,
  };
}

function settingEffects({ file, text, settings }: SettingsLayer): readonly SettingEffect[] {
  const effect = ({ path, because }: { readonly path: JsonPath; readonly because: string }) => {
    const line = locateJsonPath(text, path)?.line;
    const values = valuesOf(valueAt(settings, path));
    return { file, ...(line === undefined ? {} : { line }), path: formatJsonPath(path), because, values };
  };
  const { mcpServers: _, ...others } = settings.other;
  const working = Object.keys(others).filter((key) => !SCREEN_KEYS.includes(key) && !IDLE_KEYS.includes(key));
  return [
    ...withoutDangerousSettings(settings).skipped.map(effect),
    ...(settings.sandbox?.enabled === true ? [effect({ path: ['sandbox', 'enabled'], because: NO_RULES })] : []),
    ...working.map((key) => ({
      ...effect({ path: [key], because: 'it is not one of the keys that can only restrict' }),
      values: [JSON.stringify(others[key])],
    })),
  ];
}

const NO_RULES = 'commands inside the sandbox need no rule, unless autoAllowBashIfSandboxed is false';

function valuesOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(String);
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.entries(value).map(([name, one]) => `${name}=${String(one)}`);
}

/** Settings that are commands, or name a file that runs. */
const STARTING: Readonly<Record<string, (text: string) => Omit<StartedCommand, 'cwd'>>> = {
  apiKeyHelper: (text) => ({ file: '/bin/sh', args: ['-c', text] }),
  statusLine: (text) => ({ file: '/bin/sh', args: ['-c', statusLineCommand(text)] }),
  'env.NODE_OPTIONS': (text) => ({ file: 'node', args: text.split(/\s+/) }),
  'env.BASH_ENV': (text) => ({ file: 'sh', args: [text] }),
};

/** Values of variables can be secrets: they are shown and not recorded. */
function approvableSetting({ item, text }: ReturnType<typeof itemsOfSettings>[number], cwd: string): Approvable {
  const started = ownValue(STARTING, item.id)?.(text);
  const starts = started === undefined ? [] : [{ ...started, cwd }];
  return { item, shown: `${item.id}: ${text}`, isKept: item.id.startsWith('permissions.'), starts };
}

function approvableCommand({ file, text, grants, runs }: ProjectCommand, cwd: string): Approvable {
  const starts = runs.map((command) => ({ file: '/bin/sh', args: ['-c', command], cwd }));
  return { item: commandItem(path.relative(cwd, file), text), shown: grants.join('\n'), isKept: true, starts };
}

async function newServers(before: LoadedSettings, after: LoadedSettings, world: World) {
  const known = (await gatherMcpServers({ settings: before, world, trust: UNTRUSTED })).servers;
  const { servers } = await gatherMcpServers({ settings: after, world, trust: TRUSTED });
  const isNew = ([name, one]: [string, ConfiguredServer]) => JSON.stringify(known.get(name)) !== JSON.stringify(one);
  return [...servers].filter(isNew).map(([name, { server }]) => ({ name, server }));
}

type NewServer = Awaited<ReturnType<typeof newServers>>[number];

function serverEffect({ name, server }: NewServer): ServerEffect {
  const { command, args, env } = stdioServer.safeParse(server).data ?? {};
  if (command !== undefined) return { name, command: [command, ...(args ?? [])].join(' '), env: env ?? {} };
  const { url = '', headers = {} } = remoteServer.safeParse(server).data ?? {};
  return { name, command: url, env: headers };
}

function approvableServer(one: NewServer, cwd: string): Approvable {
  const { command: file, args } = stdioServer.safeParse(one.server).data ?? {};
  const starts = file === undefined ? [] : [{ file, args: args ?? [], cwd }];
  return {
    item: serverItem(one.name, one.server),
    shown: `${one.name}\n${serverEffect(one).command}`,
    isKept: true,
    starts,
    withModules: true,
  };
}

/** The project's agents that take the place of a person's agent with hooks. */
async function replacingAgents(world: World): Promise<readonly AgentDefinition[]> {
  const { user, project } = agentFolders(world, TRUSTED);
  const [own, others] = await Promise.all([loadAgents([user]), loadAgents([project])]);
  return others.agents.filter(({ name }) => own.agents.some((one) => one.name === name && one.hooks !== undefined));
}

export function isNothing(effects: TrustEffects): boolean {
  const { problems: _, definition, ...all } = effects;
  return definition === null && Object.values(all).every((list) => list.length === 0);
}

/** Files outside the project that its instructions import, those of folders below it included; by their real paths. */
async function importedFiles(world: World): Promise<readonly string[]> {
  const below = await foldersBelow(world);
  const [before, after] = await Promise.all([UNTRUSTED, TRUSTED].map((trust) => instructionFiles(world, below, trust)));
  const known = new Set(before);
  return [...new Set(after)].filter((file) => !known.has(file));
}

async function instructionFiles(
  world: World,
  below: readonly string[],
  trust: FolderTrust,
): Promise<readonly string[]> {
  const { cwd, homeDir, env } = world;
  const own = await loadInstructions({ cwd, homeDir, env, trust });
  const loaded = new Set(own.files.map((file) => file.path));
  const nested = await loadFolders(below, { projectDir: cwd, homeDir, trust, loaded });
  return [...own.files, ...nested.files].map((file) => realpathSync(file.path));
}

const NAMES = ['CLAUDE.md', 'CLAUDE.local.md', 'AGENTS.md'].map((name) => `:(glob)**/${name}`);

/** Folders with instructions; none where git does not know the files, and imports there stay off. */
async function foldersBelow(world: World): Promise<readonly string[]> {
  const args = ['--cached', '--others', '--exclude-standard', '--', ...NAMES];
  const files = await listFiles(openGit(world), world.cwd, args).catch(() => []);
  const folders = files.map((file) => path.join(world.cwd, path.dirname(file)).replace(/\/\.claude$/, ''));
  return [...new Set(folders)].filter((folder) => folder !== world.cwd).slice(0, MOST_FOLDERS);
}

const MOST_FOLDERS = 200;
