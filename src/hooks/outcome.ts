import type { HookPermission } from './types.ts';

/** What a hook of any kind printed; an http answer is its `stdout`. */
export interface HookPrinted {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode?: number;
  readonly durationMs: number;
}

/** "Not yet". `by` decides the wording: the reason of an exit code or a judge is shown with the hook's name. */
export interface HookBlock {
  readonly reason: string;
  readonly by: 'exit' | 'decision' | 'judge';
  /** A judge's `continueOnBlock`: the turn continues where it would end. */
  readonly continues?: boolean;
}

/** What one hook answered, before the event decides which parts count. */
export interface HookReply {
  readonly block?: HookBlock;
  /** `continue: false`, with its stop reason; empty when it gave none. */
  readonly prevent?: string;
  /** `additionalContext`. */
  readonly context?: string;
  /** Standard output that is not an answer. */
  readonly plain?: string;
  readonly systemMessage?: string;
  /** A denial is a block, so it is never here. */
  readonly permission?: HookPermission;
  readonly updatedInput?: Readonly<Record<string, unknown>>;
  readonly updatedToolOutput?: { readonly value: unknown };
  /** What is left of `hookSpecificOutput`. */
  readonly specific: Readonly<Record<string, unknown>>;
}

/** `answer`: it ran and answered badly. `execution`: it could not be run. `timeout`: it did not answer in time. */
export type HookFailure = 'answer' | 'execution' | 'timeout';

/** How one hook ended. A kind never throws. */
export type HookOutcome =
  | { readonly type: 'said'; readonly reply: HookReply; readonly printed: HookPrinted }
  | { readonly type: 'failed'; readonly failure: HookFailure; readonly message: string; readonly printed: HookPrinted }
  | { readonly type: 'cancelled'; readonly printed: HookPrinted }
  /** It continues in the background; its answer arrives later or never. */
  | { readonly type: 'background'; readonly printed: HookPrinted };

export const EMPTY_REPLY: HookReply = { specific: {} };

export const PRINTED_NOTHING: HookPrinted = { stdout: '', stderr: '', durationMs: 0 };

export function failed(failure: HookFailure, message: string, printed = PRINTED_NOTHING): HookOutcome {
  return { type: 'failed', failure, message, printed };
}
