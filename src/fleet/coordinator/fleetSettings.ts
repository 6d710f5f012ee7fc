import type { LivenessLimits } from '../decisions/liveness.ts';

/** What a fleet is: the same for every coordinator that looks after it. */
export interface FleetSettings {
  /** Part of the names of its workers, and what its coordinators compete for. */
  readonly name: string;
  readonly host: string;
  readonly queue: string;
  /** The task types its workers take; null takes all. */
  readonly types: readonly string[] | null;
  readonly kind: string;
  /** Whose requests its workers make: a limit of it pauses all of them. */
  readonly accountKey: string;
  readonly idleLimitMs: number | null;
  readonly most: number;
  /** So many run whether tasks wait or not. */
  readonly least: number;
  readonly drainTimeoutMs: number;
  /** Whether hooks of its agent tell when it gets on. */
  readonly tellsActivity: boolean;
  readonly everyMs?: number | undefined;
  readonly launchDeadlineMs?: number | undefined;
  /** How long a worker that is told to end may take before it is killed. */
  readonly graceMs?: number | undefined;
  readonly leadMs?: number | undefined;
  readonly limits?: LivenessLimits | undefined;
}

export const FLEET_DEFAULTS = {
  everyMs: 1_000,
  launchDeadlineMs: 60_000,
  graceMs: 10_000,
  leadMs: 30_000,
  drainTimeoutMs: 10 * 60_000,
} as const;

/** The slots of a fleet, and none of anybody else: other workers are called `host-PROCESS`. */
export function slotNames(name: string, most: number): readonly string[] {
  return Array.from({ length: most }, (_unused, index) => `${name}-w${index + 1}`);
}

/** Also slots beyond the present size: a fleet that was larger yesterday still has to be put in order. */
export function isSlotOf(name: string, workerId: string): boolean {
  return workerId.startsWith(`${name}-w`) && /^\d+$/.test(workerId.slice(name.length + 2));
}
