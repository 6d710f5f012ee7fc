import { type CostOf, loadPrices } from '../../models/prices.ts';
import { maxRetries } from '../../models/retries.ts';
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
import { backgroundWait } from './backgroundWait.ts';
import { chooseModel, modelName, withStandIns } from './chooseModel.ts';
import { type GatheredHooks, gatherHooks } from './configuredHooks.ts';
import { environmentWarnings } from './environmentWarnings.ts';
import { type GatheredBackground, gatherBackground } from './gatherBackground.ts';
import { gatherPermissions } from './gatherPermissions.ts';
import { type GitFacts, gitFacts } from './gitFacts.ts';
import { isTrusted } from './isTrusted.ts';
import { maxSubagents } from './maxSubagents.ts';
import { type ConfiguredServer, gatherMcpServers } from './mcpServers.ts';
import { type ModelResolver, modelResolver } from './modelResolver.ts';
import { hookEnvFile } from './openHooks.ts';
import { type OwnAgent, ownAgent } from './ownAgent.ts';
import { gatherArmed } from './ownGates.ts';
import type { PromptFlags } from './promptFlags.ts';
import { readSettings } from './readSettings.ts';
import { type GatheredSandbox, gatherSandbox } from './sandbox/gatherSandbox.ts';
import { type HoldSession, type SessionHistory, sessionHistory } from './sessionHistory.ts';
import { stopHookBlockCap } from './stopHookBlockCap.ts';
import { teammateOf } from './teammate.ts';
import { describeIdle, gatherIdle } from './withoutEffect.ts';

/** What flags, files and environment say, read and checked, before anything is started. */
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
  /** Kinds of subagent that the person's and the project's files define. */
  readonly agents: readonly AgentDefinition[];
  /** The kind of agent that this session itself is, from `--agent`. */
  readonly ownAgent: OwnAgent | undefined;
  readonly teammate: Teammate | undefined;
  readonly hooks: GatheredHooks;
  /** The project's definition of done, as far as it holds this session. */
  readonly armed: Armed;
  readonly mcpServers: ReadonlyMap<string, ConfiguredServer>;
  readonly config: QueryConfig;
  /** How long the session waits for background tasks after its last turn. */
  readonly backgroundWaitMs: number;
  /** What may run after a turn, and what earlier sessions left to be recalled. */
  readonly background: GatheredBackground;
  /** Where commands of the model run; its end is the session's. */
  readonly sandbox: GatheredSandbox['open'];
  /** Sentences about what was skipped or mended. */
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

/** What variables bound, and a sentence for each that holds no number. */
function limitsOf(env: Readonly<Record<string, string>>) {
  const [retries, cap] = [maxRetries(env), stopHookBlockCap(env)];
  const [wait, subagents] = [backgroundWait(env), maxSubagents(env)];
  const warnings = [retries.warning, cap.warning, wait.warning, subagents.warning];
  return {
    config: {
      maxRetries: retries.maxRetries,
      stopHookBlockCap: cap.cap,
      maxConcurrentSubagents: subagents.max,
    },
    backgroundWaitMs: wait.waitMs,
    warnings: warnings.filter((warning) => warning !== undefined),
  };
}

export interface Gathering {
  /** Another way to choose the model. */
  readonly choose?: typeof chooseModel;
  /** Takes the session for this process alone; without it nothing may be written to its transcript. */
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
  { choose = chooseModel, hold = async () => {} }: Gathering = {},
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
  const model = withStandIns(flags, choose(flags, named, models, prices.costOf), (name) =>
    choose(flags, { name, isSessions: false }, models, prices.costOf),
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
  const limits = limitsOf(env);
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
      ...environmentWarnings(env),
      ...[named.notice, idle, armed.checks.length > 0 ? null : armed.sentence],
    ),
  };
}

function warningsOf(...all: readonly (string | null | undefined)[]): string[] {
  return all.filter((warning) => warning !== null && warning !== undefined);
}
