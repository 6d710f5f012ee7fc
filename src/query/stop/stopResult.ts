import type { Message } from '../../session/messages.ts';

/** The result of a stop: of the hooks of one event, and of all its events together. */
export interface StopHookResult {
  /** Hidden user messages: the turn continues with them. */
  readonly blockingErrors: readonly Message[];
  readonly preventContinuation: boolean;
  /** Context that hooks add without blocking; it makes the turn continue too. */
  readonly contexts: readonly Message[];
  /** Why the turn was ended, when it was. */
  readonly stopReason: string;
  /** The hooks that blocked, by name. */
  readonly blockedBy: readonly string[];
}

export const PASS: StopHookResult = {
  blockingErrors: [],
  preventContinuation: false,
  contexts: [],
  stopReason: '',
  blockedBy: [],
};

export const prevented = (stopReason: string): StopHookResult => ({ ...PASS, preventContinuation: true, stopReason });

export const sendsBack = ({ blockingErrors, contexts }: StopHookResult): boolean =>
  blockingErrors.length + contexts.length > 0;

/** Prevented beats blocked beats pass. */
export function foldResults(results: readonly StopHookResult[]): StopHookResult {
  const ended = results.find(({ preventContinuation }) => preventContinuation);
  if (ended) return prevented(ended.stopReason);
  return {
    ...PASS,
    blockingErrors: results.flatMap(({ blockingErrors }) => blockingErrors),
    contexts: results.flatMap(({ contexts }) => contexts),
    blockedBy: results.flatMap(({ blockedBy }) => blockedBy),
  };
}

interface StopLimits {
  /** Stops sent back so far with no tool call between them. */
  readonly blocksInARow: number;
  /** How many of those are obeyed; 0 for all. */
  readonly cap: number;
}

type StopDecision =
  | { readonly type: 'prevented' }
  | { readonly type: 'capped'; readonly blocks: number }
  | { readonly type: 'goOn'; readonly blocked: boolean }
  | { readonly type: 'pass' };

/** Prevented beats blocked beats pass; a block past the cap is not obeyed. Context makes the turn continue as a block does. */
export function decideStop(result: StopHookResult, { blocksInARow, cap }: StopLimits): StopDecision {
  if (result.preventContinuation) return { type: 'prevented' };
  if (!sendsBack(result)) return { type: 'pass' };
  if (cap > 0 && blocksInARow >= cap) return { type: 'capped', blocks: blocksInARow };
  return { type: 'goOn', blocked: result.blockingErrors.length > 0 };
}
