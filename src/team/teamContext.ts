import type { Store } from '../store/types.ts';
import type { Ids } from '../system/ids.ts';
import type { ProcessFacts } from './thisProcess.ts';

/** What everything that is done for a teammate needs. */
export interface TeamContext {
  readonly store: Store;
  readonly team: string;
  /** Who this agent is in it. */
  readonly name: string;
  readonly sessionId: string | null;
  readonly process: ProcessFacts;
  readonly ids: Ids;
}
