import type { QueryEvent } from '../../../query/events.ts';
import type { CheckProgress } from '../../../stop/checks/types.ts';
import type { Panel } from '../../output/screen/panels/panel.ts';
import type { Completions } from './completion.ts';
import type { TypedFor } from './typedPrompts.ts';

/** What a session needs of a screen: one on a terminal that moves its cursor, a plain one elsewhere. */
export interface SessionView {
  open(): void;
  close(): Promise<void>;
  /** Lines above everything that is alive, for good. Text from anywhere; only our own colors reach the terminal. */
  print(lines: readonly string[]): void;
  /** What a turn emits. */
  event(event: QueryEvent): void;
  /** A check of the stop that is decided now. */
  check(progress: CheckProgress): void;
  working(isWorking: boolean): void;
  /** Stays until the next prompt. */
  notice(text: string): void;
  /** What a notice announced is over. */
  settle(): void;
  suggest(text: string | undefined): void;
  /** Takes the place of the input until the returned function is called. */
  show(panel: Panel): () => void;
  /** Draws again what is alive. */
  update(): void;
  /** Everything of the last turn: commands, output, times, and what the model was told. */
  showWhole(): void;
  /** The text that is typed and not sent. */
  draft: string;
  /** The last key is so fresh that the next one may belong to the same word. */
  isBeingTyped(): boolean;
  /** Earlier prompts, oldest first. */
  remember(prompts: readonly string[]): void;
  completeWith(completions: Completions): void;
  /** Runs something that needs the terminal for itself. */
  without<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** What a person does at a screen. */
export interface ViewEvents {
  typed(text: string, use: TypedFor): void;
  interrupt(): void;
  leave(): void;
  /** The turn if one runs; the session when that was wanted twice. */
  interruptOrLeave(): void;
  cycleMode(): void;
  draftChanged(): void;
  suspend(): void;
  searchHistory(): void;
  showTasks(): void;
  /** The last queued text, to edit it. */
  takeBack(): string | undefined;
}
