import type { StopHookResult } from './stopResult.ts';

export interface StopLimits {
  /** Stops sent back so far with no tool call between them. */
  readonly blocksInARow: number;
  /** How many of those are obeyed; 0 for all. */
  readonly cap: number;
}

export type StopDecision =
  | { readonly type: 'prevented' }
  | { readonly type: 'capped'; readonly blocks: number }
  | { readonly type: 'goOn'; readonly blocked: boolean }
  | { readonly type: 'pass' };

/** Prevented beats blocked beats pass; a block past the cap is not obeyed. Context makes the turn go on as a block does. */
export function decideStop(
  { preventContinuation, blockingErrors, contexts }: StopHookResult,
  { blocksInARow, cap }: StopLimits,
): StopDecision {
  if (preventContinuation) return { type: 'prevented' };
  if (blockingErrors.length + contexts.length === 0) return { type: 'pass' };
  if (cap > 0 && blocksInARow >= cap) return { type: 'capped', blocks: blocksInARow };
  return { type: 'goOn', blocked: blockingErrors.length > 0 };
}
