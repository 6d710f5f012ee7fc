import type { HookVerdict } from '../../hooks/types.ts';
import type { Message, UserMessage } from '../../session/messages.ts';
import { wallNow } from '../../system/clock.ts';
import { compactInstructions, compactPrompt } from '../compaction/compactConversation.ts';
import type { QueryEvent } from '../events.ts';
import { hookContexts } from '../hiddenMessages.ts';
import type { QueryParams } from '../params.ts';
import { query } from '../query.ts';
import { runHooks } from '../runHooks.ts';
import type { Terminal } from '../terminal.ts';
import { startTurn, type Turn } from '../turn.ts';
import { expandPrompt } from './expandPrompt.ts';
import { type InstructionFacts, instructionInput } from './nestedInstructions.ts';
import { readReferences } from './readReferences.ts';
import { resumeFacts } from './resumeFacts.ts';
import { titleField, titleSession } from './titleSession.ts';

export interface PromptParams extends Omit<QueryParams, 'messages'> {
  readonly prompt: string;
  /** The part of it that the person wrote as such; all of it by default. Only this may name files with `@`. */
  readonly ownWords?: string;
  /** The earlier conversation, when a session is resumed. */
  readonly history: readonly Message[];
  readonly source: 'startup' | 'resume' | 'fork';
  /** Runs the Setup hooks before the session starts. */
  readonly setup?: SetupTrigger | undefined;
  /** The files of instructions that went into the context, for InstructionsLoaded hooks. */
  readonly instructionFiles?: readonly InstructionFacts[];
}

/** Why the Setup hooks run: `--init` or `--maintenance`. */
export type SetupTrigger = 'init' | 'maintenance';

/** Neither a prompt that a hook refused nor a command that the session runs itself becomes a turn. */
export type PromptEnd =
  | Terminal
  | { readonly reason: 'prompt_blocked'; readonly message: string }
  /** `message` is what the person reads; empty when there is nothing to report. */
  | { readonly reason: 'command_done'; readonly message: string };

/**
 * A person's prompt, from SessionStart to the turn's end. What SessionStart and UserPromptSubmit hooks add goes to
 * the model beside the prompt; a blocked prompt is neither sent nor kept.
 */
export async function* submitPrompt(params: PromptParams): AsyncGenerator<QueryEvent, PromptEnd> {
  const turn = turnBefore(params);
  const started = yield* startSession(turn, params);
  const { prompt: text, ownWords } = params;
  return yield* takePrompt(turn, params, { text, ownWords, before: hookContexts(turn, started) });
}

/** One prompt of a session that has started. */
export interface Prompt {
  /** As it was given; UserPromptSubmit hooks see it. */
  readonly text: string;
  /** What the model reads instead; `text` by default. */
  readonly shown?: string;
  /** The part that may name files; all of it by default, unless the model reads something else. */
  readonly ownWords?: string | undefined;
  /** Hidden messages that go before it. */
  readonly before?: readonly UserMessage[];
}

export async function* takePrompt(
  turn: Turn,
  params: Omit<PromptParams, 'prompt'>,
  { text: prompt, shown = prompt, before = [], ownWords = shown === prompt ? prompt : '' }: Prompt,
): AsyncGenerator<QueryEvent, PromptEnd> {
  // the failure that led to a fallback model may have passed
  params.toolUseContext.model.fallback?.reset();
  const { toolUseContext } = params;
  const instructions = compactInstructions(prompt);
  if (instructions !== undefined) {
    return { reason: 'command_done', message: yield* compactPrompt(turn, params, instructions) };
  }
  const submitted = yield* runHooks(turn, {
    event: 'UserPromptSubmit',
    context: toolUseContext,
    input: () => ({ prompt, ...titleField(turn) }),
  });
  await titleSession(turn, submitted);
  const message = refusalOf(submitted, prompt);
  if (message !== undefined) return { reason: 'prompt_blocked', message };
  const command = prompt.startsWith('/') ? await turn.deps.findCommand(prompt) : undefined;
  const expansion = command && (yield* expandPrompt(turn, toolUseContext, command, { prompt, ownWords }));
  if (expansion?.type === 'failed') return { reason: 'command_done', message: expansion.message };
  if (expansion?.type === 'refused') {
    return { reason: 'prompt_blocked', message: refusalOf(expansion.verdict, prompt) ?? '' };
  }
  const context = expansion?.context ?? toolUseContext;
  // a text that replaces the prompt is not the person's: a task's report must not name files to be read
  const referring = expansion?.referring ?? { text: ownWords, trusted: true };
  const references = yield* readReferences(turn, context, referring);
  const own = expansion?.messages ?? [turn.make.user(shown)];
  const contexts = [submitted, ...(expansion ? [expansion.verdict] : [])].flatMap((one) => hookContexts(turn, one));
  const added = [...before, ...references, ...own, ...contexts].map(turn.record);
  yield { type: 'submitted', messages: added };
  const messages = [...params.history, ...added];
  const end = yield* query({ ...params, toolUseContext: context, deps: turn.deps, messages });
  // so that a later reader of the transcript knows how the turn ended
  yield turn.record(turn.make.system('turn_end', end.reason, { data: { terminal: end } }));
  await turn.deps.stopWork.turnEnded(end);
  return end;
}

/** The reason of `continue: false` stands alone; a block shows the prompt with it, unless a hook suppresses that. */
function refusalOf({ blocks, prevented, specific }: HookVerdict, prompt: string): string | undefined {
  if (prevented !== null) return prevented;
  const [block] = blocks;
  if (block === undefined || specific.suppressOriginalPrompt === true) return block;
  return `${block}\n\nOriginal prompt: ${prompt}`;
}

/** A turn before its first request, for what happens around prompts. */
export const turnBefore = (params: Omit<PromptParams, 'prompt'>): Turn => startTurn({ ...params, query });

/** Setup (if requested), InstructionsLoaded and SessionStart hooks, before the first prompt. */
export async function* startSession(
  turn: Turn,
  { toolUseContext, instructionFiles, source, setup, history }: Omit<PromptParams, 'prompt'>,
): AsyncGenerator<QueryEvent, HookVerdict> {
  // no prompt is submitted yet that the id could name
  const { promptId: _, ...session } = toolUseContext.session;
  const context = { ...toolUseContext, session };
  if (setup) yield* runHooks(turn, { event: 'Setup', context, input: () => ({ trigger: setup }) });
  for (const file of instructionFiles ?? []) {
    yield* runHooks(turn, { event: 'InstructionsLoaded', context, input: () => instructionInput(file) });
  }
  const { clock, costOf } = turn.deps;
  const earlier = () => resumeFacts(history, { now: wallNow(clock), model: context.model.id, costOf });
  const input = () => ({ source, ...(source === 'startup' ? {} : earlier()), ...titleField(turn) });
  const verdict = yield* runHooks(turn, { event: 'SessionStart', context, input });
  await titleSession(turn, verdict);
  return verdict;
}
