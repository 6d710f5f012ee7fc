import { type CostOf, loadPrices } from '../../models/prices.ts';
import { maxRetries } from '../../models/retries.ts';
import type { Model } from '../../models/types.ts';
import type { QueryConfig } from '../../query/config.ts';
import type { Teammate } from '../../query/teammate.ts';
import type { PermissionContext } from '../../query/toolUseContext.ts';
import type { StdioServer } from '../../schemas/mcpServers.ts';
import { loadInstructions } from '../../session/instructions/loadInstructions.ts';
import type { InstructionFile } from '../../session/instructions/types.ts';
import type { LoadedSettings } from '../../session/settings/types.ts';
import { projectSessionsDir } from '../../session/transcript/sessionFiles.ts';
import { asSentence } from '../../system/sentence.ts';
import { type GatheredBackground, gatherBackground } from '../background/gatherBackground.ts';
import type { PromptFlags } from '../promptFlags.ts';
import { UserError } from '../userError.ts';
import type { World } from '../world.ts';
import { chooseModel } from './chooseModel.ts';
import { type GatheredHooks, gatherHooks } from './configuredHooks.ts';
import { environmentWarnings } from './environmentWarnings.ts';
import { gatherPermissions } from './gatherPermissions.ts';
import { type GitFacts, gitFacts } from './gitFacts.ts';
import { isTrusted } from './isTrusted.ts';
import { gatherMcpServers } from './mcpServers.ts';
import { type DoneFacts, gatherDone } from './ownGates.ts';
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
  readonly history: SessionHistory;
  readonly git: GitFacts;
  readonly instructions: readonly InstructionFile[];
  readonly teammate: Teammate | undefined;
  readonly hooks: GatheredHooks;
  /** The project's definition of done. */
  readonly done: DoneFacts;
  readonly mcpServers: ReadonlyMap<string, StdioServer>;
  readonly config: QueryConfig;
  /** What may run after a turn, and what earlier sessions left to be recalled. */
  readonly background: GatheredBackground;
  /** Sentences about what was skipped or mended. */
  readonly warnings: readonly string[];
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
  const [permissions, history, git, mcp, instructions, done] = await Promise.all([
    gatherPermissions(flags, settings, world),
    sessionHistory(flags, sessionsDir, world),
    gitFacts(world),
    gatherMcpServers(settings, world, trusted),
    flags.bare ? { files: [], problems: [] } : loadInstructions({ cwd, homeDir, env, trusted }),
    flags.bare ? { hasChecks: false, warnings: [] } : gatherDone(world, trusted),
  ]);
  const hooks = gatherHooks({ settings, trusted, bare: flags.bare, env: world.env });
  const { sessionId } = history;
  const background = await gatherBackground({ settings, world, bare: flags.bare, sessionsDir, sessionId });
  const retries = maxRetries(env);
  const cap = stopHookBlockCap(env);
  return {
    settings,
    trusted,
    model,
    costOf: prices.costOf,
    sessionsDir,
    permissions: permissions.context,
    history,
    git,
    instructions: instructions.files,
    teammate: teammateOf(flags, world.env),
    hooks,
    done,
    mcpServers: mcp.servers,
    config: {
      querySource: 'sdk',
      maxTurns: flags.maxTurns,
      maxBudgetUsd: flags.maxBudgetUsd,
      maxRetries: retries.maxRetries,
      stopHookBlockCap: cap.cap,
      autoCompact: settings.merged.autoCompactEnabled !== false,
      tokenBudget: flags.tokenBudget ?? null,
      bare: flags.bare,
    },
    background,
    warnings: [
      ...settings.problems.map(({ message }) => message),
      ...permissions.problems,
      ...instructions.problems,
      ...history.warnings,
      ...hooks.warnings,
      ...done.warnings,
      ...mcp.warnings,
      ...environmentWarnings(env),
      ...background.warnings,
      ...[retries.warning, cap.warning].filter((warning) => warning !== undefined),
    ],
  };
}
