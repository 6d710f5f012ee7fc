import type { HookVerdict } from '../hooks/types.ts';
import { DEFAULT_CONFIG } from './config.ts';
import { withDefaults } from './deps.ts';
import type { QueryEvent } from './events.ts';
import { instructionInput } from './prompt/instructionInput.ts';
import { query } from './query.ts';
import { runHooks } from './runHooks.ts';
import type { PromptParams } from './submitPrompt.ts';
import { startTurn, type Turn } from './turn.ts';

/** A turn's means before its first request, for what happens around prompts. */
export function turnBefore(params: Omit<PromptParams, 'prompt'>): Turn {
  return startTurn({
    userContext: {},
    systemContext: {},
    ...params,
    query,
    deps: withDefaults(params.deps),
    config: { ...DEFAULT_CONFIG, ...params.config },
    signal: params.toolUseContext.signal,
  });
}

/** Setup (where it was asked for), InstructionsLoaded and SessionStart hooks, before the first prompt. */
export async function* startSession(
  turn: Turn,
  { toolUseContext, instructionFiles, source, setup }: Omit<PromptParams, 'prompt'>,
): AsyncGenerator<QueryEvent, HookVerdict> {
  // before the prompt is submitted there is none that an id could name
  const { promptId: _, ...session } = toolUseContext.session;
  const context = { ...toolUseContext, session };
  if (setup) yield* runHooks(turn, { event: 'Setup', context, input: () => ({ trigger: setup }) });
  for (const file of instructionFiles ?? []) {
    yield* runHooks(turn, { event: 'InstructionsLoaded', context, input: () => instructionInput(file) });
  }
  return yield* runHooks(turn, { event: 'SessionStart', context, input: () => ({ source }) });
}
