import type { NewTaskLine } from '../../../../schemas/newTasks.ts';

/** A task as written in the input. */
export interface TaskItem {
  /** Counted from 1. */
  readonly line: number;
  readonly fields: NewTaskLine;
  /** In a numbered list: another name for it. */
  readonly number?: number;
}

/** An item that is not added because it is done. */
export interface SkippedItem {
  readonly line: number;
  readonly title: string;
  readonly key?: string;
  readonly number?: number;
}

export type ReadTasks =
  | { readonly type: 'read'; readonly items: readonly TaskItem[]; readonly skipped: readonly SkippedItem[] }
  /** One sentence, with the line. */
  | { readonly type: 'broken'; readonly reason: string };
