import type { Clock } from '../system/clock.ts';
import type { ProcessRunner } from '../system/processes.ts';
import type { Demand } from './checks/demand.ts';
import type { CheckProgress } from './checks/types.ts';
import type { GateEnding } from './ending.ts';
import type { Payload } from './payload.ts';
import type { ArmedStart } from './sinceStart.ts';

/** What gates need, in a host's hook and in our own agent. */
export interface GateWorld {
  readonly env: Readonly<Record<string, string>>;
  readonly stopgateHome: string;
  readonly clock: Clock;
  readonly asker: Asker;
  /** The agent's own process; null when the host does not name it. */
  readonly hostPid: number | null;
  /** Called with every answer of the checks, before anything waits. */
  readonly onEnding?: (ending: GateEnding) => void;
  /** Called as each check begins and ends, for a person who watches. */
  readonly onCheck?: (progress: CheckProgress) => void;
  /** Called with a sentence when a stop has to wait for something else. */
  readonly onWait?: (sentence: string) => void;
  /** The process exits after its answer. */
  readonly endsWithProcess?: boolean;
  /** Created when a check has to run, if absent. */
  readonly processes?: ProcessRunner;
  /** The project's commands may run, whatever is recorded. */
  readonly trusted?: boolean;
  /** The checks at the session's start; read from its start file if absent. */
  readonly start?: ArmedStart;
  /** The session in which the work began, if it is another one than this. */
  readonly beganIn?: string;
  /** When the hook must have answered. */
  readonly deadlineAt?: number;
  readonly signal?: AbortSignal;
}

export interface StopWorld extends GateWorld {
  readonly deadlineAt: number;
  readonly signal: AbortSignal;
}

/** The agent that wants to stop, as gates know it: a host's row, or our own agent. */
export interface Asker {
  /** For the ledger. */
  readonly name: string;
  /** What the user wants from its session. */
  demand(payload: Payload, world: GateWorld): Promise<Demand>;
}
