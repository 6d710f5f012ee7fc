import type { HookPermission } from './types.ts';

/** What a hook left behind, whatever its kind; an http answer is its `stdout`. */
export interface HookPrinted {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode?: number;
  readonly durationMs: number;
}

/**
 * "Not yet", with the hook's own words. `by` decides the wording: an exit code's and a judge's words are shown with
 * the hook's name, a decision's reason is meant to be read as it stands.
 */
export interface HookBlock {
  readonly reason: string;
  readonly by: 'exit' | 'decision' | 'judge';
  /** A judge's `continueOnBlock`: the turn goes on where it would end. */
  readonly goOn?: boolean;
}

/** What one hook said, before the event decides which of it counts. */
export interface HookSays {
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

/** How one hook ended. Every failure of the world is one of these; a kind never throws. */
export type HookOutcome =
  | { readonly type: 'said'; readonly says: HookSays; readonly printed: HookPrinted }
  | { readonly type: 'failed'; readonly failure: HookFailure; readonly message: string; readonly printed: HookPrinted }
  | { readonly type: 'cancelled'; readonly printed: HookPrinted }
  /** It goes on without us; what it says comes later or never. */
  | { readonly type: 'background'; readonly printed: HookPrinted };

export const SAYS_NOTHING: HookSays = { specific: {} };

export const PRINTED_NOTHING: HookPrinted = { stdout: '', stderr: '', durationMs: 0 };
