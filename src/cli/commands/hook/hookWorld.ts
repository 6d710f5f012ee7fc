import type { Clock } from '../../../system/clock.ts';

/** What a hook process has around it. */
export interface HookWorld {
  readonly env: Readonly<Record<string, string>>;
  readonly stopgateHome: string;
  readonly clock: Clock;
  /** The agent's own process; null when the host does not name it. */
  readonly hostPid: number | null;
  /** The moment by which it must have answered. */
  readonly deadlineAt: number;
  /** Aborted when the host ends it. */
  readonly interrupt: AbortController;
}
