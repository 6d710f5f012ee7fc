import { createStopWork, type SessionStopWork } from '../../background/createStopWork.ts';
import type { PromptSuggestion } from '../../background/suggestPrompt.ts';
import type { ConversationMessage } from '../../models/types.ts';
import type { ToolUseContext } from '../../query/toolUseContext.ts';
import type { BackgroundRun } from '../../schemas/backgroundRuns.ts';
import type { ConversationLog } from '../../session/conversationLog.ts';
import { noLog } from '../../system/log.ts';
import type { SessionFacts } from './hookModel.ts';

/** A person who sees what runs after a turn. */
export interface BackgroundWatcher {
  /** Called with each guess at the next prompt. */
  readonly onSuggestion: (suggestion: PromptSuggestion) => void;
  /** Called with the outcome of each piece of work. */
  readonly onBackgroundRun: (run: BackgroundRun) => void;
}

/** The work around a session's stops, with all its effects. */
export async function openStopWork(
  wiring: SessionFacts & { readonly context: ToolUseContext; readonly watcher?: BackgroundWatcher | undefined },
): Promise<SessionStopWork> {
  const { gathered, world, ledger, log, context, watcher } = wiring;
  const { config, background, settings } = gathered;
  const env = { ...world.env, ...settings.merged.env };
  const work = createStopWork({
    clock: world.clock,
    ids: world.ids,
    env,
    stopgateHome: world.stopgateHome,
    projectDir: world.cwd,
    sessionsDir: gathered.sessionsDir,
    sessionId: gathered.history.sessionId,
    ledger,
    costOf: gathered.costOf,
    resolveModel: gathered.resolveModel,
    maxRetries: config.maxRetries,
    maxBudgetUsd: config.maxBudgetUsd,
    limits: background.limits,
    switches: background.switches,
    bare: config.bare,
    keeps: gathered.keeps,
    logEvent: noLog,
    signal: context.signal,
    openTasks: async () =>
      (await context.toolServices.tasks.list()).filter(({ status }) => status !== 'completed').length,
    hiddenMessages: () => hiddenIn(log),
    ...(watcher && { onSuggestion: watcher.onSuggestion, onBackgroundRun: watcher.onBackgroundRun }),
  });
  await work.start();
  return work;
}

/** The log has the same objects that were sent, so identity is enough. */
function hiddenIn(log: ConversationLog): ReadonlySet<ConversationMessage> {
  return new Set([...log.messages()].flatMap((m) => (m.type === 'user' && m.isMeta ? [m.message] : [])));
}
