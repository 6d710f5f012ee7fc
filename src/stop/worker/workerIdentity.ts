/** The worker of this process: set by `stopgate worker run` for its agent, and inherited by the agent's hooks. */
export interface WorkerIdentity {
  readonly workerId: string;
  readonly incarnation: number;
  /** Each task gets a new agent. */
  readonly oneTask: boolean;
  /** Of the task that its agent was started for; empty for none. Null when that is not known. */
  readonly repository: string | null;
  /** See `activity.ts`. */
  readonly activityFile: string | null;
}

export const WORKER = 'STOPGATE_WORKER';
export const WORKER_INCARNATION = 'STOPGATE_WORKER_INCARNATION';
export const WORKER_ONE_TASK = 'STOPGATE_WORKER_ONE_TASK';
/** The repository that an agent works in, as its task names it. */
export const WORKER_REPOSITORY = 'STOPGATE_WORKER_REPOSITORY';
/**
 * The folder through which the commands of an agent have its worker push their work (`launch/attempt/repository/pushRequests.ts`). The
 * worker has the credentials and decides what is pushed and where to; a request says nothing but that there is one.
 */
export const PUSH_REQUESTS = 'STOPGATE_PUSH_REQUESTS';
export const ACTIVITY_FILE = 'STOPGATE_ACTIVITY_FILE';
/** Of a worker with `--no-verify`. */
export const NO_VERIFY = 'STOPGATE_NO_VERIFY';
/** Where a StopFailure hook saves its input. */
export const FAILURE_FILE = 'STOPGATE_FAILURE_FILE';

export function workerIdentity(env: Readonly<Record<string, string | undefined>>): WorkerIdentity | null {
  const incarnation = Number(env[WORKER_INCARNATION]);
  const workerId = env[WORKER];
  if (!workerId || !Number.isInteger(incarnation)) return null;
  return {
    workerId,
    incarnation,
    oneTask: env[WORKER_ONE_TASK] === '1',
    repository: env[WORKER_REPOSITORY] ?? null,
    activityFile: env[ACTIVITY_FILE] || null,
  };
}
