export const DEFAULT_QUEUE = 'default';

/** What a new task has where its adder says nothing. */
export const TASK_DEFAULTS = {
  queue: DEFAULT_QUEUE,
  type: 'task',
  priority: 100,
  maxFailures: 3,
  maxReclaims: 3,
  // a task that is given back again and again is nobody's fault, but still costs a claim each time
  maxReleases: 20,
  backoffMs: 10_000,
  onDependencyFailure: 'wait',
} as const;
