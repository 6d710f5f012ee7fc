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
  /** Their reasons, in the same order. */
  readonly blockReasons: readonly string[];
  /** No hook objects; a background hook woke the turn. */
  readonly isWake: boolean;
}

export const PASS: StopHookResult = {
  blockingErrors: [],
  preventContinuation: false,
  contexts: [],
  stopReason: '',
  blockedBy: [],
  blockReasons: [],
  isWake: false,
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
    blockReasons: results.flatMap(({ blockReasons }) => blockReasons),
  };
}

/** Why a block is not obeyed. */
export type CapReason = 'noToolCall' | 'noChange' | 'afterDone' | 'inTurn';

export interface StopLimits {
  /** Stops sent back so far, by what each cap counts. */
  readonly blocks: Readonly<Record<CapReason, number>>;
  /** How many of those are obeyed; 0 for all. */
  readonly caps: Readonly<Record<CapReason, number>>;
}

type StopDecision =
  | { readonly type: 'prevented' }
  | { readonly type: 'capped'; readonly why: CapReason; readonly blocks: number }
  | { readonly type: 'goOn'; readonly blocked: boolean }
  | { readonly type: 'pass' };

const CAP_REASONS: readonly CapReason[] = ['noToolCall', 'noChange', 'afterDone', 'inTurn'];

/** Prevented beats blocked beats pass; a block past a cap is not obeyed. Context makes the turn continue as a block does. */
export function decideStop(result: StopHookResult, { blocks, caps }: StopLimits): StopDecision {
  if (result.preventContinuation) return { type: 'prevented' };
  if (!sendsBack(result)) return { type: 'pass' };
  const why = CAP_REASONS.find((reason) => caps[reason] > 0 && blocks[reason] >= caps[reason]);
  if (why !== undefined) return { type: 'capped', why, blocks: blocks[why] };
  return { type: 'goOn', blocked: result.blockingErrors.length > 0 };
}
