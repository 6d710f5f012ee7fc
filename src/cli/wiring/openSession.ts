import { SpendLedger } from '../../models/ledger.ts';
import { resolveModel } from '../../models/providers.ts';
import type { PromptParams } from '../../query/submitPrompt.ts';
import type { ToolUseContext } from '../../query/toolUseContext.ts';
import { ConversationLog } from '../../session/conversationLog.ts';
import { instructionsText } from '../../session/instructions/instructionsText.ts';
import { systemPrompt } from '../../session/systemPrompt.ts';
import { allTools } from '../../tools/allTools.ts';
import { toolServices } from '../../tools/toolServices.ts';
import { openStopWork } from '../background/openStopWork.ts';
import type { PromptFlags } from '../promptFlags.ts';
import type { TeamTasks } from '../teamTasks/teamTasks.ts';
import type { World } from '../world.ts';
import { childEnvironment } from './childEnvironment.ts';
import { offeredTools } from './gatherPermissions.ts';
import { type GatheredSession, gatherSession } from './gatherSession.ts';
import { hookEnvFile, openHooks } from './openHooks.ts';
import { openTranscripts } from './openTranscripts.ts';
import { ownGates } from './ownGates.ts';
import { openTeamTasks } from './teammate.ts';
import { watchSession } from './watchSession.ts';

export interface OpenSession extends AsyncDisposable {
  readonly sessionId: string;
  readonly ledger: SpendLedger;
  readonly params: Omit<PromptParams, 'prompt'>;
  readonly warnings: readonly string[];
}

/** What hooks that nobody waits for may still take when the session is over. */
const DRAIN_MS = 5_000;

/** Everything a prompt needs, from flags, files and environment: the one place where all parts meet. */
export async function openSession(
  flags: PromptFlags,
  world: World,
  told: { readonly signal: AbortSignal; readonly warn: (sentence: string) => void },
): Promise<OpenSession> {
  const gathered = await gatherSession(flags, world);
  const { history, config, warnings } = gathered;
  const ledger = new SpendLedger();
  const log = new ConversationLog();
  const place = { sessionsDir: gathered.sessionsDir, sessionId: history.sessionId };
  const transcripts = openTranscripts(place, world, { warn: told.warn, log, history: history.messages });
  const session = () => params;
  const own = ownGates(world, gathered.done);
  const hooks = openHooks({ gathered, world, log, ledger, own, watches: flags.includeHookEvents, session });
  const team = openTeamTasks(flags, world, gathered);
  const transcriptPath = transcripts.main.path;
  const toolUseContext = toolUseContextFor(gathered, world, { signal: told.signal, transcriptPath, team });
  const stopWork = await openStopWork({ gathered, world, ledger, log, context: toolUseContext });
  const params: OpenSession['params'] = {
    history: history.messages,
    source: history.source,
    instructionFiles: gathered.instructions,
    ...prompts(flags, gathered, world),
    toolUseContext,
    config,
    deps: {
      clock: world.clock,
      ids: world.ids,
      hooks: hooks.runner,
      background: {
        take: () => hooks.background.take().map(({ text }) => text),
        wakersEnded: hooks.background.wakersEnded,
      },
      ledger,
      costOf: gathered.costOf,
      resolveModel: (name) => resolveModel(name, world.env),
      transcript: transcripts.main,
      openAgentTranscript: transcripts.openAgent,
      stopWork,
      watchPaths: (paths) => watch.add(paths),
    },
  };
  const watch = await watchSession({
    flags,
    world,
    trusted: gathered.trusted,
    runner: hooks.runner,
    own,
    context: () => toolUseContext,
    warn: told.warn,
  });
  return {
    sessionId: history.sessionId,
    ledger,
    warnings,
    params,
    [Symbol.asyncDispose]: async () => {
      watch[Symbol.dispose]();
      const [late, notices] = await Promise.all([
        hooks.background.drain(DRAIN_MS),
        stopWork.drain(gathered.background.limits.drainMs),
      ]);
      for (const label of late) told.warn(`The background hook ${label} was still running and was ended.`);
      // the result has been printed: what is said now must not follow it on stdout
      for (const notice of notices) process.stderr.write(`stopgate: ${notice}\n`);
      await hooks.mcp.close();
      await team?.[Symbol.asyncDispose]();
      await world.processes.endAll();
      transcripts.close();
    },
  };
}

function toolUseContextFor(
  gathered: GatheredSession,
  world: World,
  turn: { readonly signal: AbortSignal; readonly transcriptPath: string; readonly team: TeamTasks | undefined },
): ToolUseContext {
  const { permissions, teammate } = gathered;
  return {
    model: gathered.model,
    tools: offeredTools(allTools(), permissions.rules.deny),
    permissions,
    signal: turn.signal,
    session: { id: gathered.history.sessionId, transcriptPath: turn.transcriptPath, promptId: world.ids.uuid() },
    queryTracking: { chainId: world.ids.uuid(), depth: 0 },
    toolServices: toolServices({
      projectDir: world.cwd,
      env: childEnvironment(world.env, gathered.settings.merged.env),
      envFile: hookEnvFile(gathered),
      processes: world.processes,
      clock: world.clock,
      ...(turn.team ? { tasks: turn.team.list } : {}),
    }),
    ...(teammate ? { teammate } : {}),
  };
}

type Prompts = Pick<PromptParams, 'systemPrompt' | 'userContext' | 'systemContext'>;

function prompts(flags: PromptFlags, gathered: GatheredSession, world: World): Prompts {
  const { git, model, instructions, background } = gathered;
  const { systemPrompt: own, appendSystemPrompt: appended } = flags;
  const facts = { cwd: world.cwd, isGitRepository: git.isRepository, platform: process.platform, modelId: model.id };
  return {
    systemPrompt: own ? [own, ...(appended ? [appended] : [])] : systemPrompt(facts, appended),
    userContext: {
      'Project instructions': instructionsText(instructions),
      Memory: background.memory,
      Today: new Date(world.clock.now()).toISOString().slice(0, 10),
    },
    systemContext: git.status ? { 'Git status': git.status } : {},
  };
}
