export interface HostRoomFacts {
  readonly running: number;
  readonly maxWorkers: number;
  readonly freeMemoryBytes?: number | undefined;
  /** Load average of a minute divided by cores. */
  readonly loadPerCore?: number | undefined;
}

/** What this host has too little of for another worker, as measured, and the limit. */
export type HostShortage =
  | { readonly of: 'load'; readonly perCore: number; readonly limit: number }
  | { readonly of: 'memory'; readonly freeBytes: number; readonly neededBytes: number };

/** An agent with its build; swapping is slower than running one worker fewer. */
const WORKER_BYTES = 512 * 1024 * 1024;
const FULL_LOAD = 4;

/**
 * How many more workers this host can take now, and why not as many as the fleet may have.
 *
 * Load stops further workers, not the first one: the rule exists because many slow workers do less than a few, and none at all do
 * nothing, while the load of other programs may last for days. Memory stops the first one too: what runs out of it is killed by the
 * system, and that may be a program of the user.
 */
export function hostRoom({ running, maxWorkers, freeMemoryBytes, loadPerCore = 0 }: HostRoomFacts): {
  readonly room: number;
  readonly shortage: HostShortage | null;
} {
  const places = Math.max(0, maxWorkers - running);
  const freeBytes = freeMemoryBytes ?? Number.POSITIVE_INFINITY;
  const byMemory = Math.floor(freeBytes / WORKER_BYTES);
  if (byMemory === 0) return { room: 0, shortage: { of: 'memory', freeBytes, neededBytes: WORKER_BYTES } };
  if (loadPerCore >= FULL_LOAD) {
    const shortage = { of: 'load', perCore: loadPerCore, limit: FULL_LOAD } as const;
    return { room: Math.min(places, running === 0 ? 1 : 0), shortage };
  }
  return { room: Math.min(places, byMemory), shortage: null };
}
