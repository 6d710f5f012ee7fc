export const DEFAULT_QUEUE = 'default';

export const TASK_DEFAULTS = {
  queue: DEFAULT_QUEUE,
  type: 'task',
  priority: 100,
  maxFailures: 3,
  maxReclaims: 3,
  // a task that is released again and again has not failed, but costs a claim each time
  maxReleases: 20,
  backoffMs: 10_000,
  onDependencyFailure: 'wait',
} as const;
