import { rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import type { HookRunnerOptions } from '../../hooks/createHookRunner.ts';
import { SpendLedger } from '../../models/ledger.ts';
import { mainContext } from '../../query/mainContext.ts';
import type { PromptParams } from '../../query/prompt/submitPrompt.ts';
import { hookSubject, type ToolUseContext } from '../../query/toolUseContext.ts';
import { ConversationLog } from '../../session/conversationLog.ts';
import { sessionFile } from '../../session/transcript/sessionFiles.ts';
import { childEnvironment } from '../../stop/childEnvironment.ts';
import type { World } from '../../system/world.ts';
import { allTools } from '../../tools/allTools.ts';
import { toolServices } from '../../tools/toolServices.ts';
import { chooseModelIfAny } from './chooseModel.ts';
import { offeredTools } from './gatherPermissions.ts';
import { type GatheredSession, gatherSession } from './gatherSession.ts';
import { openHooks } from './openHooks.ts';
import type { PromptFlags } from './promptFlags.ts';
import { hookEnvFile, sessionFolder } from './sessionPlaces.ts';

export type HooksAlone = Awaited<ReturnType<typeof openHooksAlone>>;

interface AloneOptions {
  /** Only the hooks of this event are loaded. */
  readonly event: string;
  readonly signal: AbortSignal;
  readonly onEnd?: HookRunnerOptions['onEnd'];
}

/** The hook engine without a session: no transcript, no turn, and no model until a hook needs one. */
export async function openHooksAlone(flags: PromptFlags, world: World, options: AloneOptions) {
  const session = await gatherSession(flags, world, { choose: chooseModelIfAny });
  const wanted = session.hooks.hooks.filter(({ event }) => event === options.event);
  const gathered = { ...session, hooks: { ...session.hooks, hooks: wanted } };
  const log = new ConversationLog();
  const ledger = new SpendLedger();
  const context = contextFor(gathered, world, options.signal);
  const params: Omit<PromptParams, 'prompt'> = {
    history: [],
    source: 'startup',
    systemPrompt: [],
    toolUseContext: context,
    config: gathered.config,
    deps: { clock: world.clock, ids: world.ids, ledger, costOf: gathered.costOf, resolveModel: gathered.resolveModel },
  };
  const { onEnd } = options;
  const wiring = { gathered, world, log, ledger, watches: false, own: [], session: () => params };
  const hooks = openHooks({ ...wiring, ...(onEnd && { onEnd }) });
  return {
    ...hooks,
    gathered,
    /** The session and turn that hooks see. */
    subject: hookSubject(context),
    /** The conversation, for judges and message matchers. */
    log,
    [Symbol.asyncDispose]: async () => {
      await hooks.mcp.close();
      await world.processes.endAll();
      await gathered.sandbox?.[Symbol.asyncDispose]();
      await removeTraces(gathered);
    },
  };
}

function contextFor(gathered: GatheredSession, world: World, signal: AbortSignal): ToolUseContext {
  const { model, permissions, sessionsDir, history } = gathered;
  const env = childEnvironment(world.env, gathered.settings.merged.env);
  const { processes, clock, cwd } = world;
  const sandbox = gathered.sandbox?.sandbox;
  const services = toolServices({ projectDir: cwd, env, envFile: hookEnvFile(gathered), processes, clock, sandbox });
  const tools = offeredTools(allTools(), permissions.rules.deny, gathered.toolNames);
  return {
    ...mainContext({ model, projectDir: cwd, tools, signal, services }),
    permissions,
    session: {
      id: history.sessionId,
      transcriptPath: sessionFile(sessionsDir, history.sessionId),
      promptId: world.ids.uuid(),
    },
  };
}

/** Removes files that hooks left for the session; saved long output stays, because its path was shown. */
async function removeTraces(gathered: GatheredSession): Promise<void> {
  await rm(hookEnvFile(gathered), { force: true });
  const { sessionsDir } = gathered;
  // fails for a folder that is not empty
  for (const folder of [sessionFolder(gathered), sessionsDir, path.dirname(sessionsDir)]) {
    await rmdir(folder).catch(() => {});
  }
}
