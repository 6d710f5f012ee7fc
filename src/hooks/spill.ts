import type { HookOutcome, HookSays } from './outcome.ts';

/** Saves a text that is too long for a conversation and returns where. */
export type Spill = (text: string) => string;

/** What a hook may put into a conversation at once. */
export const TEXT_CAP = 10_000;
/** Measured: a reason of 15,000 characters is passed whole. Ours ends where it would fill a context window. */
export const REASON_CAP = 100_000;
const PREVIEW = 2_000;

/** A text over the cap becomes the path of its copy and its beginning. */
export function capText(text: string, cap: number, spill: Spill): string {
  if (text.length <= cap) return text;
  const preview = text.slice(0, PREVIEW);
  return `A hook said ${text.length} characters. ${savedAt(text, spill)} It begins:\n\n${preview}\n…`;
}

function savedAt(text: string, spill: Spill): string {
  try {
    return `All of it is in ${spill(text)}.`;
  } catch (error) {
    return `It could not be saved (${error instanceof Error ? error.message : String(error)}).`;
  }
}

/** Caps every text that would reach a model or a person. */
export function capOutcome(outcome: HookOutcome, spill: Spill): HookOutcome {
  return outcome.type === 'said' ? { ...outcome, says: capSays(outcome.says, spill) } : outcome;
}

function capSays(says: HookSays, spill: Spill): HookSays {
  const cap = (text: string) => capText(text, TEXT_CAP, spill);
  const { block, context, plain, systemMessage, specific } = says;
  const message = specific.initialUserMessage;
  return {
    ...says,
    ...(block && { block: { ...block, reason: capText(block.reason, REASON_CAP, spill) } }),
    ...(context !== undefined && { context: cap(context) }),
    ...(plain !== undefined && { plain: cap(plain) }),
    ...(systemMessage !== undefined && { systemMessage: cap(systemMessage) }),
    ...(typeof message === 'string' && { specific: { ...specific, initialUserMessage: cap(message) } }),
  };
}
