export interface HostRoomFacts {
  readonly running: number;
  readonly maxWorkers: number;
  readonly freeMemoryBytes?: number | undefined;
  readonly memoryPerWorkerBytes?: number | undefined;
  /** Load average of a minute divided by cores. */
  readonly loadPerCore?: number | undefined;
}

/** An agent with its build; swapping is slower than running one worker fewer. */
const WORKER_BYTES = 512 * 1024 * 1024;
const FULL_LOAD = 4;

/** How many more workers this host can take now. */
export function hostRoom(facts: HostRoomFacts): number {
  const { running, maxWorkers, freeMemoryBytes, memoryPerWorkerBytes = WORKER_BYTES, loadPerCore = 0 } = facts;
  if (loadPerCore >= FULL_LOAD) return 0;
  const byMemory =
    freeMemoryBytes === undefined ? Number.POSITIVE_INFINITY : Math.floor(freeMemoryBytes / memoryPerWorkerBytes);
  return Math.max(0, Math.min(maxWorkers - running, byMemory));
}
