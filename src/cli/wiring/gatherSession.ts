import { type CostOf, loadPrices } from '../../models/prices.ts';
import type { Model } from '../../models/types.ts';
import type { QueryConfig } from '../../query/params.ts';
import type { PermissionContext, Teammate } from '../../query/toolUseContext.ts';
import type { AgentDefinition } from '../../session/agents/loadAgents.ts';
import type { InstructionFile, LoadedInstructions, PathRule } from '../../session/instructions/instructionFile.ts';
import { loadInstructions } from '../../session/instructions/loadInstructions.ts';
import type { LoadedSettings } from '../../session/settings/types.ts';
import { projectSessionsDir } from '../../session/transcript/sessionFiles.ts';
import type { Armed } from '../../stop/armed.ts';
import { childEnvironment } from '../../stop/childEnvironment.ts';
import { asSentence } from '../../system/sentence.ts';
import { UserError } from '../../system/userError.ts';
import type { World } from '../../system/world.ts';
import { gatherAgents } from './agentFiles.ts';
import { chooseModel, modelName, withFallbackModels } from './chooseModel.ts';
import { type GatheredHooks, gatherHooks } from './configuredHooks.ts';
import { type GatheredBackground, gatherBackground } from './gatherBackground.ts';
import { gatherPermissions } from './gatherPermissions.ts';
import { type GitFacts, gitFacts } from './gitFacts.ts';
import { type ConfiguredServer, gatherMcpServers } from './mcpServers.ts';
import { type ModelResolver, modelResolver } from './modelResolver.ts';
import { type OwnAgent, ownAgent } from './ownAgent.ts';
import { gatherArmed } from './ownGates.ts';
import type { PromptFlags } from './promptFlags.ts';
import { isTrusted, readSettings } from './readSettings.ts';
import { type GatheredSandbox, gatherSandbox } from './sandbox/gatherSandbox.ts';
import { type HoldSession, type SessionHistory, sessionHistory } from './sessionHistory.ts';
import { sessionLimits } from './sessionLimits.ts';
import { hookEnvFile } from './sessionPlaces.ts';
import { teammateOf } from './teammate.ts';
import { describeIdle, gatherIdle } from './withoutEffect.ts';

/** Everything from flags, files and environment, checked before anything is started. */
export interface GatheredSession {
  readonly settings: LoadedSettings;
  readonly trusted: boolean;
  readonly model: Model;
  /** Any other model, with the session's variables and key. */
  readonly resolveModel: ModelResolver['resolve'];
  readonly costOf: CostOf;
  readonly sessionsDir: string;
  readonly permissions: PermissionContext;
  /** The only tools to offer, from `--tools`; undefined for all. */
  readonly toolNames: readonly string[] | undefined;
  readonly history: SessionHistory;
  /** Whether the conversation is kept on disk. */
  readonly keeps: boolean;
  readonly git: GitFacts;
  readonly instructions: readonly InstructionFile[];
  /** Instructions for some paths only. */
  readonly rules: readonly PathRule[];
  /** Kinds of subagents that the user's and the project's files define. */
  readonly agents: readonly AgentDefinition[];
  /** The kind of agent that this session itself is, from `--agent`. */
  readonly ownAgent: OwnAgent | undefined;
  readonly teammate: Teammate | undefined;
  readonly hooks: GatheredHooks;
  /** The project's definition of done, as far as it applies to this session. */
  readonly armed: Armed;
  readonly mcpServers: ReadonlyMap<string, ConfiguredServer>;
  readonly config: QueryConfig;
  /** How long the session waits for background tasks after its last turn. */
  readonly backgroundWaitMs: number;
  /** Work after a turn, and facts recalled from earlier sessions. */
  readonly background: GatheredBackground;
  /** The sandbox of the model's commands; it ends with the session. */
  readonly sandbox: GatheredSandbox['open'];
  /** One sentence per problem. */
  readonly warnings: readonly string[];
}

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

export interface GatherOptions {
  /** Another way to choose the model. */
  readonly choose?: typeof chooseModel;
  /** Locks the session for this process; without it nothing may be written to its transcript. */
  readonly hold?: HoldSession;
}

function readPrices(env: Readonly<Record<string, string>>) {
  const prices = loadPrices(env);
  if (prices.type === 'bad') throw new UserError(asSentence(prices.message));
  return prices;
}

type SandboxParts = Pick<GatheredSession, 'settings' | 'permissions' | 'sessionsDir' | 'history'>;

function sandboxOf(flags: PromptFlags, world: World, parts: SandboxParts): Promise<GatheredSandbox> {
  const { settings, permissions, history } = parts;
  const env = () => childEnvironment(world.env, settings.merged.env, history.sessionId);
  return gatherSandbox({ flags, settings, permissions, world, env, envFile: hookEnvFile(parts) });
}

export async function gatherSession(
  flags: PromptFlags,
  world: World,
  { choose = chooseModel, hold = async () => {} }: GatherOptions = {},
): Promise<GatheredSession> {
  const { cwd, homeDir } = world;
  const trusted = await isTrusted(flags, world);
  const settings = await readSettings(flags, world, trusted);
  const models = modelResolver(settings, world);
  const { env } = models;
  const prices = readPrices(env);
  const sessionsDir = projectSessionsDir(world.stopgateHome, cwd);
  const history = await sessionHistory(flags, sessionsDir, world, flags.sessionPersistence ? hold : async () => {});
  const agents = await gatherAgents(flags, { cwd, homeDir, env }, trusted);
  const own = ownAgent(flags.agent ?? settings.merged.other.agent, agents.agents);
  const wanted = flags.model ?? own?.kind.model;
  const named = modelName(wanted === undefined ? {} : { model: wanted }, { settings, models, session: history.model });
  const model = withFallbackModels(flags, choose(flags, named, models, prices.costOf), (name) =>
    choose(flags, { name, isFromSession: false }, models, prices.costOf),
  );
  const [permissions, git, mcp, instructions, armed] = await Promise.all([
    gatherPermissions(flags, settings, world),
    gitFacts(world),
    gatherMcpServers({ settings, world, trusted, flags }),
    flags.bare ? NO_INSTRUCTIONS : loadInstructions({ cwd, homeDir, env, trusted }),
    gatherArmed(world, { trustProject: flags.trustProject, off: flags.bare ? '--bare' : null }),
  ]);
  const hooks = gatherHooks({ settings, trusted, bare: flags.bare, env: world.env, agents: agents.agents });
  const place = { sessionsDir, sessionId: history.sessionId };
  const background = await gatherBackground({ settings, world, bare: flags.bare, ...place });
  const limits = sessionLimits(env);
  const idle = describeIdle(await gatherIdle(settings, world));
  const sandbox = await sandboxOf(flags, world, { settings, permissions: permissions.context, sessionsDir, history });
  return {
    settings,
    trusted,
    model,
    resolveModel: models.resolve,
    costOf: prices.costOf,
    sessionsDir,
    permissions: permissions.context,
    toolNames: permissions.toolNames,
    history,
    keeps: flags.sessionPersistence,
    git,
    instructions: instructions.files,
    rules: instructions.rules ?? [],
    agents: agents.agents,
    ownAgent: own,
    teammate: teammateOf(flags, world.env),
    hooks,
    armed,
    mcpServers: mcp.servers,
    config: { ...configOf(flags), ...limits.config, autoCompact: settings.merged.autoCompactEnabled !== false },
    backgroundWaitMs: limits.backgroundWaitMs,
    background,
    sandbox: sandbox.open,
    warnings: warningsOf(
      ...[settings, agents].flatMap(({ problems }) => problems.map(({ message }) => message)),
      ...[permissions, instructions].flatMap(({ problems }) => problems),
      ...[sandbox, history, hooks, mcp, background, limits].flatMap(({ warnings }) => warnings),
      ...[named.notice, idle, armed.checks.length > 0 ? null : armed.sentence],
    ),
  };
}

function warningsOf(...all: readonly (string | null | undefined)[]): string[] {
  return all.filter((warning) => warning !== null && warning !== undefined);
}
