export interface StopFacts {
  readonly prevented: boolean;
  /** Hooks that said "not yet". */
  readonly blocks: number;
  /** Hooks that only added context, which makes the turn go on as well. */
  readonly contexts: number;
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

/** Prevented beats blocked beats pass; a block past the cap is not obeyed. */
export function decideStop({ prevented, blocks, contexts, blocksInARow, cap }: StopFacts): StopDecision {
  if (prevented) return { type: 'prevented' };
  if (blocks + contexts === 0) return { type: 'pass' };
  if (cap > 0 && blocksInARow >= cap) return { type: 'capped', blocks: blocksInARow };
  return { type: 'goOn', blocked: blocks > 0 };
}
