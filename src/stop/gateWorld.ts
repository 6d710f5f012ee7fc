import type { Clock } from '../system/clock.ts';
import type { ProcessRunner } from '../system/processes.ts';
import type { Demand } from './checks/demand.ts';
import type { GateEnding } from './gateEnding.ts';
import type { ArmedStart } from './sinceStart.ts';

/** What our gates need around them, in a host's hook and in our own agent alike. */
export interface GateWorld {
  readonly env: Readonly<Record<string, string>>;
  readonly stopgateHome: string;
  readonly clock: Clock;
  /** The agent's own process; null when the host does not name it. */
  readonly hostPid: number | null;
  /** What the session was asked for; absent: to be read from what the host says. */
  readonly demand?: Demand;
  /** Called with every answer of the checks, before anything waits. */
  readonly onEnding?: (ending: GateEnding) => void;
  /** The process is over with its answer. */
  readonly endsWithProcess?: boolean;
  /** Left out: made when a check has to run, which in most hooks none has to. */
  readonly processes?: ProcessRunner;
  /** That the project's own commands may run, whatever is recorded. */
  readonly trusted?: boolean;
  /** With which checks the session began; absent: to be read from what its start left. */
  readonly start?: ArmedStart;
}
