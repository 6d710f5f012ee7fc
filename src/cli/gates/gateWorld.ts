import type { Clock } from '../../system/clock.ts';
import type { ProcessRunner } from '../../system/processes.ts';

/** What our gates need around them, in a host's hook and in our own agent alike. */
export interface GateWorld {
  readonly env: Readonly<Record<string, string>>;
  readonly stopgateHome: string;
  readonly clock: Clock;
  /** The process is over with its answer. */
  readonly endsWithProcess?: boolean;
  /** Left out: made when a check has to run, which in most hooks none has to. */
  readonly processes?: ProcessRunner;
  /** That the project's own commands may run, whatever is recorded. */
  readonly trusted?: boolean;
}
