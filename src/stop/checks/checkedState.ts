/** All that is known of what a session works on, at one stop. */
export interface CheckedState {
  /**
   * Another value whenever files changed, for whether a session changed or improved anything. A rough one, from names,
   * sizes and times, where the exact one cannot be had; the two are never equal.
   */
  readonly files: string;
  /** What a pass is remembered by: everything that a check is known to see. Null: no pass may be remembered. */
  readonly key: string | null;
  /** Why `files` is rough or `key` is null. */
  readonly problem: string | null;
  readonly isRough: boolean;
  /** The commit of HEAD. */
  readonly head: string | null;
}

const ROUGH = 'rough:';

export const roughFiles = (digest: string): string => `${ROUGH}${digest}`;

/** Whether two values say anything about each other. */
export const areComparable = (one: string, other: string): boolean => one.startsWith(ROUGH) === other.startsWith(ROUGH);
