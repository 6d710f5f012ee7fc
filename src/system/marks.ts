/** Environment variables that identify all descendants of a command, even those that left its process group. */
export const MARKS = {
  launch: 'STOPGATE_LAUNCH_ID',
  worker: 'STOPGATE_FLEET_MARK',
  attempt: 'STOPGATE_ATTEMPT_MARK',
  check: 'STOPGATE_CHECK_MARK',
  session: 'STOPGATE_SESSION_MARK',
} as const;

/** For our own agent: the process that started it prints which checks are armed and how they ended. */
export const REPORTED = 'STOPGATE_CHECKS_REPORTED';

/** For our own agent: the file in which it reports its spend to its launcher. */
export const SPEND_FILE = 'STOPGATE_SPEND_FILE';

export type Mark = (typeof MARKS)[keyof typeof MARKS];
