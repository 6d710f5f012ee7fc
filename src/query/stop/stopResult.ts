import type { Message } from '../../session/messages.ts';

/** The one result of a stop: of the hooks of one event, and of all that a stop asks together. */
export interface StopHookResult {
  /** Hidden user messages: the turn goes on with them. */
  readonly blockingErrors: readonly Message[];
  readonly preventContinuation: boolean;
  /** Context that hooks add without blocking; it too makes the turn go on. */
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
