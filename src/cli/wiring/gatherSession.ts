import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { gateFiles } from '../../hosts/all.ts';
import { loadPrices } from '../../models/prices.ts';
import { parseJson } from '../../schemas/json.ts';
import type { LoadedInstructions } from '../../session/instructions/instructionFile.ts';
import { loadInstructions } from '../../session/instructions/loadInstructions.ts';
import { IDLE_KEYS, IDLE_VARIABLES } from '../../session/settings/claudeCodeNames.ts';
import { claudeConfigDir } from '../../session/settings/settingsFiles.ts';
import type { LoadedSettings } from '../../session/settings/types.ts';
import { projectSessionsDir } from '../../session/transcript/sessionFiles.ts';
import { ownValue } from '../../system/ownValue.ts';
import { asSentence } from '../../system/sentence.ts';
import { UserError } from '../../system/userError.ts';
import type { World } from '../../system/world.ts';
import { gatherAgents } from './agentFiles.ts';
import { chooseModel, modelName, withFallbackModels } from './chooseModel.ts';
import { gatherHooks } from './configuredHooks.ts';
import { gatherBackground } from './gatherBackground.ts';
import { gatherPermissions } from './gatherPermissions.ts';
import { type GitFacts, gitFacts } from './gitFacts.ts';
import { gatherMcpServers } from './mcpServers.ts';
import { modelResolver } from './modelResolver.ts';
import { ownAgent } from './ownAgent.ts';
import { gatherArmed, isHeld } from './ownGates.ts';
import { readProjectRules } from './projectRules.ts';
import type { PromptFlags } from './promptFlags.ts';
import { projectTrust, readSettings } from './readSettings.ts';
import { gatherSandbox } from './sandbox/gatherSandbox.ts';
import { type HoldSession, sessionHistory } from './sessionHistory.ts';
import { sessionLimits } from './sessionLimits.ts';
import { teammateOf } from './teammate.ts';

/** Everything from flags, files and environment, checked before anything is started. */
export type GatheredSession = Awaited<ReturnType<typeof gatherSession>>;

const NO_INSTRUCTIONS: LoadedInstructions = { files: [], problems: [] };

function configOf({ maxTurns, maxBudgetUsd, tokenBudget, tokenLimit, bare }: PromptFlags) {
  return {
    querySource: 'sdk',
    maxTurns: maxTurns || undefined,
    maxBudgetUsd,
    maxOutputTokens: tokenLimit,
    tokenBudget: tokenBudget ?? null,
    bare,
  } as const;
}

function readPrices(env: Readonly<Record<string, string>>) {
  const prices = loadPrices(env);
  if (prices.type === 'bad') throw new UserError(asSentence(prices.message));
  return prices;
}

interface GatherOptions {
  readonly choose?: typeof chooseModel;
  /** Locks the session for this process; without it nothing may be written to its transcript. */
  readonly hold?: HoldSession;
  /** Of a git that was started earlier. */
  readonly git?: Promise<GitFacts>;
  /** A person is in front of it. */
  readonly interactive?: boolean;
}

export async function gatherSession(
  flags: PromptFlags,
  world: World,
  {
    choose = chooseModel,
    hold = async () => {},
    git: facts = gitFacts(world),
    interactive = false,
  }: GatherOptions = {},
) {
  const trust = projectTrust(flags, world);
  const settings = await readSettings(flags, world, trust);
  const models = modelResolver(settings, world);
  const { env } = models;
  const prices = readPrices(env);
  const sessionsDir = projectSessionsDir(world.stopgateHome, world.cwd);
  const history = await sessionHistory(flags, sessionsDir, world, flags.sessionPersistence ? hold : async () => {});
  const agents = await gatherAgents(flags, { ...world, env }, trust);
  const own = ownAgent(flags.agent ?? settings.merged.other.agent, agents.agents);
  const named = modelName(flags.model ?? own?.kind.model, { settings, models, session: history.model });
  const model = withFallbackModels(flags, choose(flags, named, models, prices.costOf), (name) =>
    choose(flags, { name, isFromSession: false }, models, prices.costOf),
  );
  const [permissions, mcp, instructions, armed] = await Promise.all([
    gatherPermissions(flags, settings, world),
    gatherMcpServers({ settings, world, trust, flags }),
    flags.bare ? NO_INSTRUCTIONS : loadInstructions({ ...world, env, trust }),
    gatherArmed(world, { trustProject: flags.trustProject, off: flags.bare ? '--bare' : null }),
  ]);
  // before the sandbox reads them too
  const kept = readProjectRules(sessionsDir);
  const { rules } = permissions.context;
  const allowed = { ...permissions.context, rules: { ...rules, allow: [...rules.allow, ...kept.allow] } };
  const hooks = gatherHooks({ settings, trust, world, bare: flags.bare, agents: agents.agents });
  const background = await gatherBackground(flags, world, { settings, sessionsDir, history, interactive });
  const limits = sessionLimits(env);
  const sandbox = await gatherSandbox(flags, world, {
    settings,
    permissions: allowed,
    sessionsDir,
    history,
  });
  return {
    settings,
    /** What the project's own files may do. */
    trust,
    model,
    /** Any other model, with the session's variables and key. */
    resolveModel: models.resolve,
    costOf: prices.costOf,
    sessionsDir,
    permissions: { ...allowed, ...(isHeld(armed, world) && { gateFiles: gateFiles(world.stopgateHome) }) },
    /** The only tools to offer, from `--tools`; undefined for all. */
    toolNames: permissions.toolNames,
    history,
    /** Whether the conversation is kept on disk. */
    keeps: flags.sessionPersistence,
    git: await facts,
    instructions: instructions.files,
    /** Instructions for some paths only. */
    rules: instructions.rules ?? [],
    agents: agents.agents,
    /** The kind of agent that this session itself is, from `--agent`. */
    ownAgent: own,
    teammate: teammateOf(flags, world.env),
    hooks,
    /** The project's definition of done, as far as it applies to this session. */
    armed,
    mcpServers: mcp.servers,
    config: { ...configOf(flags), ...limits.config, autoCompact: settings.merged.autoCompactEnabled !== false },
    backgroundWaitMs: limits.backgroundWaitMs,
    background,
    /** The sandbox of the model's commands; it ends with the session. */
    sandbox: sandbox.open,
    warnings: warningsOf(
      ...[settings, agents].flatMap(({ problems }) => problems.map(({ message }) => message)),
      ...[permissions, instructions, kept].flatMap(({ problems }) => problems),
      ...[sandbox, history, hooks, mcp, background, limits].flatMap(({ warnings }) => warnings),
      ...[named.notice, await idleNote(settings, world), armed.checks.length > 0 ? null : armed.sentence],
    ),
  };
}

function warningsOf(...all: readonly (string | null | undefined)[]): string[] {
  return all.filter((warning) => warning !== null && warning !== undefined);
}

/** Names what has an effect in Claude Code and none here. */
async function idleNote(settings: LoadedSettings, world: World): Promise<string | undefined> {
  const env = { ...world.env, ...settings.merged.env };
  const keys = idleKeys(settings);
  const variables = IDLE_VARIABLES.filter((name) => (env[name] ?? '') !== '');
  const parts = [
    ...(keys.length > 0 ? [`settings ${keys.join(', ')}`] : []),
    ...(variables.length > 0 ? [`variables ${variables.join(', ')}`] : []),
    ...((await hasSkills(world)) ? ['skills (only as /NAME in a prompt; the agent does not choose them)'] : []),
  ];
  if (parts.length === 0) return undefined;
  return `No effect here, unlike in Claude Code: ${parts.join('; ')} (see docs/claude-code-settings.md).`;
}

/** Keys whose value matches what happens anyway. */
const HARMLESS: Readonly<Record<string, (value: unknown) => boolean>> = {
  // nothing is added to commits here
  includeCoAuthoredBy: (value) => value === false,
};

/** From the text of the files, including the ignored settings of an untrusted project. */
function idleKeys({ layers }: Pick<LoadedSettings, 'layers'>): readonly string[] {
  const set = layers.flatMap(({ text }) => {
    const json = parseJson(text);
    return json.type === 'broken' || typeof json.value !== 'object' ? [] : Object.entries(json.value ?? {});
  });
  const idle = set.filter(([key, value]) => IDLE_KEYS.includes(key) && !ownValue(HARMLESS, key)?.(value));
  return [...new Set(idle.map(([key]) => key))].toSorted();
}

async function hasSkills(world: World): Promise<boolean> {
  const folders = [path.join(world.cwd, '.claude'), claudeConfigDir(world)].map((one) => path.join(one, 'skills'));
  const found = await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])));
  return found.some((names) => names.length > 0);
}
