import type { StartedCommand } from '../../../session/runFiles/runFiles.ts';
import type { TrustItem } from '../../../session/trust/trustItem.ts';

/** Something that a person approves: its identity, how it is shown, and what it starts. */
export interface Approvable {
  readonly item: TrustItem;
  /** For the difference, on one or more lines. */
  readonly shown: string;
  /** Whether `shown` is recorded: values of variables and headers can be secrets. */
  readonly isKept: boolean;
  readonly starts: readonly StartedCommand[];
  /** Whether modules that its scripts load count. Those of a check are mostly what it tests. */
  readonly withModules?: boolean;
}

/** For something that starts nothing. */
export const plainItem = (item: TrustItem, shown: string): Approvable => ({ item, shown, isKept: true, starts: [] });
