import { executeSessionEndHooks } from '../../hooks/executeEvents.ts';
import { systemReminder } from '../../session/makeMessages.ts';
import type { Message, UserMessage } from '../../session/messages.ts';
import { type BackgroundTask, taskNotification } from '../../tools/background/backgroundTasks.ts';
import { budgetLimit } from '../decideLimit.ts';
import type { QueryEvent } from '../events.ts';
import { hookContexts, notificationText } from '../hiddenMessages.ts';
import { type QueryParams, withDefaults } from '../params.ts';
import { hookSubject, type ToolUseContext } from '../toolUseContext.ts';
import type { Turn } from '../turn.ts';
import {
  type Prompt,
  type PromptEnd,
  type PromptParams,
  startSession,
  takePrompt,
  turnBefore,
} from './submitPrompt.ts';

export interface SessionParams extends Omit<PromptParams, 'prompt'> {
  /** The first prompt; without one it comes from the inbox. */
  readonly prompt?: string;
  /** How long a session whose turn is over waits for its background tasks; 0 waits without limit. */
  readonly backgroundWaitMs: number;
  /** More prompts for the same session; without it there is only one. */
  readonly inbox?: PromptInbox;
  /** What holds for the next prompt: a person may have changed the model or the permissions, and interrupts only one turn. */
  readonly refresh?: (context: ToolUseContext) => ToolUseContext;
}

/** Prompts that arrive while a session runs. */
export interface PromptInbox {
  /** Whether one is there already. */
  isWaiting(): boolean;
  /** Whether more may arrive. */
  isOpen(): boolean;
  /** Resolves when one is there, or when no more can arrive. */
  arrival(): Promise<void>;
  /** The next one; undefined when there are no more, or when the signal aborts. */
  next(signal?: AbortSignal): Promise<string | undefined>;
}

export type SessionEvent =
  | QueryEvent
  | { readonly type: 'prompt_started' }
  /** The last one is what the generator returns, unless more prompts might have arrived. */
  | { readonly type: 'prompt_ended'; readonly end: PromptEnd }
  /** The turn is over and these still run. */
  | { readonly type: 'waiting'; readonly tasks: readonly BackgroundTask[] }
  /** The session ends and these still run: they end with it. */
  | { readonly type: 'gave_up'; readonly tasks: readonly BackgroundTask[]; readonly why: GaveUp };

/** Why the session stopped waiting for background tasks: the wait was too long, the user interrupted, or a budget is spent. */
export type GaveUp = 'waited' | 'interrupted' | 'spent';

export interface SessionEnd {
  /** Of the last prompt. */
  readonly end: PromptEnd;
  /** It was emitted already, as `prompt_ended`. */
  readonly isReported: boolean;
}

/**
 * A session: its start, then one turn for each prompt. A SessionStart hook may put a prompt before the
 * person's, and each background task that ends after a turn is a prompt of its own. Returns the last one's end.
 */
export async function* runSession(params: SessionParams): AsyncGenerator<SessionEvent, SessionEnd> {
  const turn = turnBefore(params);
  const started = yield* startSession(turn, params);
  const before = hookContexts(turn, started);
  const first = started.specific.initialUserMessage;
  const own: Prompt | undefined =
    params.prompt === undefined ? undefined : { text: params.prompt, ownWords: params.ownWords };
  const prompts: Prompt[] = own === undefined ? [] : [own];
  if (typeof first === 'string' && first.trim() !== '') prompts.unshift({ text: first });
  const history = [...params.history];
  if (prompts.length === 0) prompts.push(...(yield* morePrompts(turn, params)));
  let end: PromptEnd | undefined;
  let isReported = false;
  for (let prompt = prompts.shift(); prompt; prompt = prompts.shift()) {
    if (end && !isReported) yield { type: 'prompt_ended', end };
    yield { type: 'prompt_started' };
    const submitted = { ...prompt, before: end ? stoppedBefore(turn, end) : before };
    const promptParams = {
      ...paramsFor(turn, params, { isOwn: prompt === own, isFirst: !end }),
      history: [...history],
    };
    const now = params.refresh === undefined ? turn : turnBefore(promptParams);
    end = yield* remember(takePrompt(now, promptParams, submitted), history);
    // the sender of the next prompt may wait for the end of this one
    isReported = params.inbox?.isOpen() === true && prompts.length === 0;
    if (isReported) yield { type: 'prompt_ended', end };
    if (isOver(turn, end)) break;
    if (prompts.length === 0) prompts.push(...(yield* morePrompts(turn, params)));
  }
  yield* giveUp(turn, params);
  return { end: end ?? { reason: 'command_done', message: '' }, isReported };
}

/** The model must not mistake a stop that a hook forced for its own. */
function stoppedBefore(turn: Turn, end: PromptEnd): UserMessage[] {
  if (end.reason !== 'stop_hook_prevented') return [];
  return [turn.make.hidden(systemReminder(`Stop hook stopped continuation: ${end.stopReason}`))];
}

/**
 * The first prompt has the session's own id. A token budget is the person's: it applies neither to a hook's prompt nor to
 * the end of a background task.
 */
function paramsFor(
  turn: Turn,
  { toolUseContext: first, config = {}, refresh = (context) => context, ...params }: SessionParams,
  { isOwn, isFirst }: { readonly isOwn: boolean; readonly isFirst: boolean },
): SessionParams {
  const toolUseContext = refresh(first);
  const { session } = toolUseContext;
  const named = isFirst ? session : { ...session, promptId: turn.deps.ids.uuid() };
  return {
    ...params,
    config: isOwn ? config : { ...config, tokenBudget: null },
    toolUseContext: { ...toolUseContext, session: named },
  };
}

/** Nothing more can be done: the user interrupted, or a budget is spent. */
function isOver(turn: Turn, { reason }: PromptEnd): boolean {
  return turn.signal.aborted || reason === 'budget_exhausted' || reason === 'tokens_exhausted';
}

/** Keeps a turn's messages for the next one; a compaction clears them. */
async function* remember(
  running: AsyncGenerator<QueryEvent, PromptEnd>,
  history: Message[],
): AsyncGenerator<QueryEvent, PromptEnd> {
  for (let step = await running.next(); ; step = await running.next()) {
    if (step.done) return step.value;
    const event = step.value;
    if (event.type === 'submitted') history.push(...event.messages);
    else if (event.type === 'system' && event.subtype === 'compact_boundary') history.length = 0;
    else if (event.type === 'user' || event.type === 'assistant') history.push(event);
    yield event;
  }
}

/** What the session continues with: a waiting prompt, a background task that ends, or the next prompt. */
async function* morePrompts(turn: Turn, params: SessionParams): AsyncGenerator<SessionEvent, readonly Prompt[]> {
  const { inbox } = params;
  if (inbox?.isWaiting() !== true) {
    const ended = yield* awaitTasks(turn, params);
    if (ended.length > 0) return ended;
  }
  const text = await inbox?.next(turn.signal);
  return text === undefined ? [] : [{ text }];
}

/** Waits until a background task of the main agent ends; its end is the next prompt. */
async function* awaitTasks(turn: Turn, params: SessionParams): AsyncGenerator<SessionEvent, readonly Prompt[]> {
  const { background } = params.toolUseContext.toolServices;
  const { inbox } = params;
  const running = background.running();
  if (running.length > 0 && !background.hasEnded()) {
    yield { type: 'waiting', tasks: running };
    await waitAtMost(turn, params.backgroundWaitMs, (signal) => {
      const ended = background.nextEnd(signal);
      // a new prompt ends the wait; the end of the inbox does not
      return inbox?.isOpen()
        ? Promise.race([ended, inbox.arrival().then(() => (inbox.isWaiting() ? undefined : ended))])
        : ended;
    });
  }
  const ended = background.takeEnded().map(taskNotification);
  return ended.map((text) => ({ text, shown: notificationText(text) }));
}

/** The session is over: what still runs in its background is reported before it is ended. */
function* giveUp(turn: Turn, { toolUseContext }: SessionParams): Generator<SessionEvent, void> {
  const tasks = toolUseContext.toolServices.background.allRunning();
  if (tasks.length === 0) return;
  const why = budgetLimit(turn.config, turn.deps.ledger) ? 'spent' : 'waited';
  yield { type: 'gave_up', tasks, why: turn.signal.aborted ? 'interrupted' : why };
}

async function waitAtMost(turn: Turn, ms: number, wait: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const over = new AbortController();
  const signal = AbortSignal.any([turn.signal, over.signal]);
  const late = ms > 0 ? turn.deps.clock.sleep(ms, signal).then(() => over.abort()) : undefined;
  await wait(signal);
  over.abort();
  await late;
}

/** Why a session ended, as SessionEnd hooks match on it. */
export type SessionEndReason = 'clear' | 'resume' | 'logout' | 'prompt_input_exit' | 'other';

/**
 * Runs the SessionEnd hooks and returns their notices for the person. Not bound to the session's signal, because an
 * interrupted session ends too; the event itself limits their time.
 */
export async function endSession(
  params: Pick<QueryParams, 'deps' | 'toolUseContext'>,
  reason: SessionEndReason,
): Promise<readonly string[]> {
  const { hooks } = withDefaults(params.deps);
  if (!hooks.has('SessionEnd')) return [];
  const notices: string[] = [];
  const { signal } = new AbortController();
  const running = executeSessionEndHooks(
    { reason },
    { runner: hooks, subject: hookSubject(params.toolUseContext), signal },
  );
  for await (const event of running) if (event.type === 'notice') notices.push(event.text);
  return notices;
}
