import type { Armed } from '../../gates/armed.ts';
import { type CostOf, loadPrices } from '../../models/prices.ts';
import { maxRetries } from '../../models/retries.ts';
import type { Model } from '../../models/types.ts';
import type { QueryConfig } from '../../query/config.ts';
import type { Teammate } from '../../query/teammate.ts';
import type { PermissionContext } from '../../query/toolUseContext.ts';
import type { StdioServer } from '../../schemas/mcpServers.ts';
import type { AgentDefinition } from '../../session/agents/loadAgents.ts';
import { loadInstructions } from '../../session/instructions/loadInstructions.ts';
import type { InstructionFile } from '../../session/instructions/types.ts';
import type { LoadedSettings } from '../../session/settings/types.ts';
import { projectSessionsDir } from '../../session/transcript/sessionFiles.ts';
import { asSentence } from '../../system/sentence.ts';
import { type GatheredBackground, gatherBackground } from '../background/gatherBackground.ts';
import type { PromptFlags } from '../promptFlags.ts';
import { UserError } from '../userError.ts';
import type { World } from '../world.ts';
import { gatherAgents } from './agentFiles.ts';
import { backgroundWait } from './backgroundWait.ts';
import { chooseModel } from './chooseModel.ts';
import { type GatheredHooks, gatherHooks } from './configuredHooks.ts';
import { environmentWarnings } from './environmentWarnings.ts';
import { gatherPermissions } from './gatherPermissions.ts';
import { type GitFacts, gitFacts } from './gitFacts.ts';
import { isTrusted } from './isTrusted.ts';
import { gatherMcpServers } from './mcpServers.ts';
import { gatherArmed } from './ownGates.ts';
import { readSettings } from './readSettings.ts';
import { type SessionHistory, sessionHistory } from './sessionHistory.ts';
import { stopHookBlockCap } from './stopHookBlockCap.ts';
import { teammateOf } from './teammate.ts';

/** What flags, files and environment say, read and checked, before anything is started. */
export interface GatheredSession {
  readonly settings: LoadedSettings;
  readonly trusted: boolean;
  readonly model: Model;
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
  /** Kinds of subagent that the person's and the project's files define. */
  readonly agents: readonly AgentDefinition[];
  readonly teammate: Teammate | undefined;
  readonly hooks: GatheredHooks;
  /** The project's definition of done, as far as it holds this session. */
  readonly armed: Armed;
  readonly mcpServers: ReadonlyMap<string, StdioServer>;
  readonly config: QueryConfig;
  /** How long the session waits for background tasks after its last turn. */
  readonly backgroundWaitMs: number;
  /** What may run after a turn, and what earlier sessions left to be recalled. */
  readonly background: GatheredBackground;
  /** Sentences about what was skipped or mended. */
  readonly warnings: readonly string[];
}

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

export async function gatherSession(
  flags: PromptFlags,
  world: World,
  choose: typeof chooseModel = chooseModel,
): Promise<GatheredSession> {
  const { cwd, homeDir } = world;
  const trusted = await isTrusted(flags, world);
  const settings = await readSettings(flags, world, trusted);
  const env = { ...world.env, ...settings.merged.env };
  const prices = loadPrices(env);
  if (prices.type === 'bad') throw new UserError(asSentence(prices.message));
  const model = choose(flags, settings, env, prices.costOf);
  const sessionsDir = projectSessionsDir(world.stopgateHome, cwd);
  const [permissions, history, git, mcp, instructions, armed, agents] = await Promise.all([
    gatherPermissions(flags, settings, world),
    sessionHistory(flags, sessionsDir, world),
    gitFacts(world),
    gatherMcpServers(settings, world, trusted),
    flags.bare ? { files: [], problems: [] } : loadInstructions({ cwd, homeDir, env, trusted }),
    gatherArmed(world, { trustProject: flags.trustProject, off: flags.bare ? '--bare' : null }),
    gatherAgents(flags, { cwd, homeDir, env }, trusted),
  ]);
  const hooks = gatherHooks({ settings, trusted, bare: flags.bare, env: world.env, agents: agents.agents });
  const place = { sessionsDir, sessionId: history.sessionId };
  const background = await gatherBackground({ settings, world, bare: flags.bare, ...place });
  const [retries, cap, wait] = [maxRetries(env), stopHookBlockCap(env), backgroundWait(env)];
  return {
    settings,
    trusted,
    model,
    costOf: prices.costOf,
    sessionsDir,
    permissions: permissions.context,
    toolNames: permissions.toolNames,
    history,
    keeps: flags.sessionPersistence,
    git,
    instructions: instructions.files,
    agents: agents.agents,
    teammate: teammateOf(flags, world.env),
    hooks,
    armed,
    mcpServers: mcp.servers,
    config: {
      ...configOf(flags),
      maxRetries: retries.maxRetries,
      stopHookBlockCap: cap.cap,
      autoCompact: settings.merged.autoCompactEnabled !== false,
    },
    backgroundWaitMs: wait.waitMs,
    background,
    warnings: [
      ...settings.problems.map(({ message }) => message),
      ...permissions.problems,
      ...instructions.problems,
      ...history.warnings,
      ...agents.problems.map(({ message }) => message),
      ...hooks.warnings,
      ...(armed.checks.length > 0 || armed.sentence === null ? [] : [armed.sentence]),
      ...mcp.warnings,
      ...environmentWarnings(env),
      ...background.warnings,
      ...[retries.warning, cap.warning, wait.warning].filter((warning) => warning !== undefined),
    ],
  };
}
