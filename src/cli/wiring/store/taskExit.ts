/** Exit codes of task commands; the help of `stopgate task` has the same table. */
export const TASK_EXIT = {
  done: 0,
  /** The store refused the operation; 69 when it cannot be reached. */
  refused: 1,
  wrongUse: 2,
  /** Nothing to claim. */
  nothing: 3,
  /** Superseded or canceled by another process in the meantime. */
  notYours: 4,
  /** A TaskCompleted hook keeps it open. */
  keptOpen: 5,
  timedOut: 124,
  interrupted: 130,
} as const;
