import type { LeaseTimes } from '../decisions/leaseTimes.ts';

/** A fleet's settings, the same for each of its coordinators. */
export interface FleetSettings {
  /** Part of its workers' names, and the lease its coordinators compete for. */
  readonly name: string;
  readonly host: string;
  readonly queue: string;
  /** The task types its workers claim; null: all. */
  readonly types: readonly string[] | null;
  readonly kind: string;
  /** A limit of this account pauses all its workers. */
  readonly accountKey: string;
  readonly idleLimitMs: number | null;
  readonly most: number;
  /** This many run even when no task waits. */
  readonly least: number;
  readonly drainTimeoutMs: number;
  /** Whether hooks of its agent report progress. */
  readonly reportsActivity: boolean;
  /** Default: 3m. */
  readonly lease?: LeaseTimes | undefined;
}

export const FLEET_DEFAULTS = {
  everyMs: 1_000,
  launchDeadlineMs: 60_000,
  /** How long a worker may take to end before it is killed. */
  graceMs: 10_000,
  drainTimeoutMs: 10 * 60_000,
} as const;

/** Only a fleet's own slots have such names: other workers are called `host-PROCESS`. */
export function slotNames(name: string, most: number): readonly string[] {
  return Array.from({ length: most }, (_unused, index) => `${name}-w${index + 1}`);
}

/** Also matches slots beyond the current size: a fleet that was larger yesterday still has workers to handle. */
export function isSlotOf(name: string, workerId: string): boolean {
  return workerId.startsWith(`${name}-w`) && /^\d+$/.test(workerId.slice(name.length + 2));
}
