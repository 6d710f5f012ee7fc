import type { Clock } from '../system/clock.ts';
import type { DetachedStart } from '../system/detachedProcess.ts';
import type { ProcessRunner } from '../system/processes.ts';
import type { Demand } from './checks/demand.ts';
import type { CheckProgress, DefinitionOfDone, GivenDefinition } from './checks/types.ts';
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
  /** The definition of done that a program gives; found from the folder if absent. */
  readonly definition?: GivenDefinition | undefined;
  /** A program's own limits, which replace those of the configuration. */
  readonly limits?: Partial<Pick<DefinitionOfDone, 'stallAfter' | 'maxBlocks'>>;
  /** The agent has used the tokens that it may use. */
  readonly tokensOver?: boolean;
  /** The checks at the session's start; read from its start file if absent. */
  readonly start?: ArmedStart;
  /** The session in which the work began, if it is another one than this. */
  readonly beganIn?: string;
  /** When the hook must have answered. */
  readonly deadlineAt?: number;
  readonly signal?: AbortSignal;
  /** For a host whose hooks may not take long: checks may, in another process. */
  readonly pieces?: Pieces;
}

interface Pieces {
  /** When a stop must have its answer; `deadlineAt` is that of the checks then. */
  readonly answerBy: number;
  /** How long the checks may take in all. */
  readonly wholeSeconds: number;
  /** Starts the process that runs them, as this file says. */
  start(file: string): Promise<DetachedStart>;
}

export interface StopWorld extends GateWorld {
  readonly deadlineAt: number;
  readonly signal: AbortSignal;
}

/** The agent that wants to stop, as gates know it: a host's row, or our own agent. */
export interface Asker {
  /** For the ledger. */
  readonly name: string;
  /**
   * How far its session is, for a host that may call the hook again after a block without a request to its model: a stop
   * with the mark of the stop before it.
   */
  turnMark?(payload: Payload): string | null;
  /** What the user wants from its session. */
  demand(payload: Payload, world: GateWorld): Promise<Demand>;
}
