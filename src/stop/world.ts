import type { Clock } from '../system/clock.ts';
import type { ProcessRunner } from '../system/processes.ts';
import type { Demand } from './checks/demand.ts';
import type { GateEnding } from './ending.ts';
import type { Payload } from './payload.ts';
import type { ArmedStart } from './sinceStart.ts';

/** What our gates need around them, in a host's hook and in our own agent alike. */
export interface GateWorld {
  readonly env: Readonly<Record<string, string>>;
  readonly stopgateHome: string;
  readonly clock: Clock;
  /** The agent that asks. */
  readonly asker: Asker;
  /** The agent's own process; null when the host does not name it. */
  readonly hostPid: number | null;
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

export interface StopWorld extends GateWorld {
  readonly deadlineAt: number;
  readonly signal: AbortSignal;
}

/** The agent that asks, as far as the gates have to know it: a host's row, or our own agent. */
export interface Asker {
  /** In the ledger. */
  readonly name: string;
  /** What its session was asked for. */
  demand(payload: Payload, world: GateWorld): Promise<Demand>;
}
