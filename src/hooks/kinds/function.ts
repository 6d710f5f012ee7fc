import * as z from 'zod';
import type { HookInput } from '../../schemas/hookInputs.ts';
import type { HookJSONOutput } from '../../schemas/hookOutputs.ts';
import type { ConfiguredHook, HookSettings } from '../configuredHook.ts';
import { defineKind, type FiredEvent, type HookKind, type KindFacts } from '../kind.ts';
import { EMPTY_REPLY, failed, type HookOutcome } from '../outcome.ts';
import { checkAnswer, replyOf } from '../readAnswer.ts';
import type { HookEventName, RequestPrompt } from '../types.ts';
import { bounded, unfinished } from './bounded.ts';

// biome-ignore lint/suspicious/noConfusingVoidType: a callback that only watches returns nothing
type Answer = HookJSONOutput | undefined | void;

/** A check in the same process, for users of the library. */
export type HookCallback<Name extends HookEventName = HookEventName> = (
  input: HookInput<Name>,
  toolUseId: string | undefined,
  options: { readonly signal: AbortSignal; readonly requestPrompt?: RequestPrompt },
) => Answer | Promise<Answer>;

interface FunctionSettings extends HookSettings {
  readonly callback: HookCallback;
}

const FunctionSettingsSchema = z.lazy(() =>
  z.custom<FunctionSettings>(
    (value) =>
      typeof value === 'object' && value !== null && 'callback' in value && typeof value.callback === 'function',
  ),
);

const functionFacts: KindFacts<FunctionSettings> = {
  type: 'function',
  schema: FunctionSettingsSchema,
  fields: ['callback'],
  label: ({ callback }) => callback.name || 'callback',
};

/** Function hooks answer with what a command would print, as a value. */
export function functionHook(): HookKind {
  return defineKind<FunctionSettings>({
    ...functionFacts,
    async run({ callback }, event, context) {
      const end = await bounded(context, async (signal) =>
        callback(event.input as HookInput<HookEventName>, event.toolUseId, {
          signal,
          ...(event.requestPrompt && { requestPrompt: event.requestPrompt }),
        }),
      );
      if (end.type !== 'done') return unfinished(end, context.timeoutMs);
      return outcomeOf(end.value, event, end.durationMs);
    },
  });
}

function outcomeOf(answer: Answer, event: FiredEvent, durationMs: number): HookOutcome {
  const printed = { stdout: '', stderr: '', durationMs };
  if (answer === undefined || answer === null) return { type: 'said', reply: EMPTY_REPLY, printed };
  const read = checkAnswer(answer, event.row);
  if (read.type === 'answer') return { type: 'said', reply: replyOf(read.answer, event.row), printed };
  const message = read.type === 'invalid' ? read.message : 'it returned something that is not an answer';
  return failed('answer', message, printed);
}

export interface FunctionHookOptions {
  /** Its name in messages; by default the function's own name, which bundlers may drop. */
  readonly label?: string;
  readonly matcher?: string;
  /** Seconds. */
  readonly timeout?: number;
  readonly onFailure?: 'continue' | 'block';
  readonly onError?: 'allow' | 'block';
}

/** Binds a typed callback to an event, to run beside hooks from settings. */
export function onHookEvent<Name extends HookEventName>(
  event: Name,
  callback: HookCallback<Name>,
  { matcher, label, ...more }: FunctionHookOptions = {},
): ConfiguredHook {
  const settings: FunctionSettings = { type: 'function', callback: callback as unknown as HookCallback, ...more };
  return {
    event,
    kind: 'function',
    settings,
    label: label ?? functionFacts.label(settings),
    ...(matcher !== undefined && { matcher }),
    source: 'library',
    file: 'code',
    path: `${event} callback`,
  };
}
