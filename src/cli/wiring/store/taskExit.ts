/** What scripts learn from the commands on tasks; the help of `stopgate task` has the same table. */
export const TASK_EXIT = {
  done: 0,
  /** The store, or what was asked of it, is not as it would have to be. */
  refused: 1,
  wrongUse: 2,
  /** Nothing to claim. */
  nothing: 3,
  /** Superseded or cancelled: somebody decided otherwise in the meantime. */
  notYours: 4,
  /** A TaskCompleted hook keeps it open. */
  keptOpen: 5,
  timedOut: 124,
  interrupted: 130,
} as const;
