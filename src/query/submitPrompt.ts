import { type HookEventName, type HookVerdict, NO_VERDICT } from '../hooks/types.ts';
import type { Message } from '../session/messages.ts';
import { DEFAULT_CONFIG } from './config.ts';
import { withDefaults } from './deps.ts';
import type { QueryEvent } from './events.ts';
import { query } from './query.ts';
import type { QueryParams } from './queryParams.ts';
import { runHooks } from './runHooks.ts';
import type { Terminal } from './terminal.ts';
import { startTurn, type Turn } from './turn.ts';

export interface PromptParams extends Omit<QueryParams, 'messages'> {
  readonly prompt: string;
  /** What was said before, when a session is resumed. */
  readonly history: readonly Message[];
  readonly source: 'startup' | 'resume';
  /** The files of instructions that went into the context, for InstructionsLoaded hooks. */
  readonly instructionFiles?: readonly InstructionFacts[];
}

export interface InstructionFacts {
  readonly path: string;
  readonly memoryType: string;
  readonly loadReason: string;
  readonly parentPath?: string;
}

/** A prompt that a hook refused never became a turn. */
export type PromptEnd = Terminal | { readonly reason: 'prompt_blocked'; readonly message: string };

/**
 * A person's prompt, from SessionStart to the turn's end. What SessionStart and UserPromptSubmit hooks add goes to
 * the model beside the prompt; a blocked prompt is neither sent nor kept.
 */
export async function* submitPrompt(params: PromptParams): AsyncGenerator<QueryEvent, PromptEnd> {
  const deps = withDefaults(params.deps);
  const { toolUseContext, prompt, source } = params;
  const turn = startTurn({
    userContext: {},
    systemContext: {},
    ...params,
    query,
    deps,
    config: { ...DEFAULT_CONFIG, ...params.config },
    signal: toolUseContext.signal,
  });
  const ask = (event: HookEventName, input: Readonly<Record<string, unknown>>) =>
    runHooks(turn, { event, context: toolUseContext, input: () => input });

  for (const file of params.instructionFiles ?? []) yield* ask('InstructionsLoaded', instructionInput(file));
  const started = yield* ask('SessionStart', { source, model: toolUseContext.model.id });
  const submitted = yield* ask('UserPromptSubmit', { prompt });
  const refusal = refusalOf(submitted);
  if (refusal !== undefined) {
    const message = `UserPromptSubmit operation blocked by hook:\n${refusal}\n\nOriginal prompt: ${prompt}`;
    return { reason: 'prompt_blocked', message };
  }
  const added = [
    ...contextMessages(turn, started),
    turn.make.user([{ type: 'text', text: prompt }]),
    ...contextMessages(turn, submitted),
  ].map(turn.record);
  yield* added;
  const end = yield* query({ ...params, deps, messages: [...params.history, ...added] });
  // kept with the conversation, so that whoever looks later knows how it ended and not only where
  yield turn.record(turn.make.system('turn_end', end.reason, { data: { terminal: end } }));
  await deps.stopWork.turnEnded(end);
  return end;
}

function instructionInput(file: InstructionFacts): Readonly<Record<string, unknown>> {
  return {
    file_path: file.path,
    memory_type: file.memoryType,
    load_reason: file.loadReason,
    ...(file.parentPath ? { parent_file_path: file.parentPath } : {}),
  };
}

function refusalOf(verdict: HookVerdict): string | undefined {
  if (verdict === NO_VERDICT) return undefined;
  return verdict.blocks[0] ?? verdict.prevented ?? undefined;
}

function contextMessages(turn: Turn, { contexts }: HookVerdict) {
  return contexts.map((text) =>
    turn.make.user([{ type: 'text', text: `<system-reminder>\n${text}\n</system-reminder>` }], { isMeta: true }),
  );
}
