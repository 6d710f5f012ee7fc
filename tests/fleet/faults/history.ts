import type { Attempt, StoreEvent, Task } from '../../../src/store/types.ts';

/** A claim that an entry belongs to. */
interface OfClaim {
  readonly machine: string;
  readonly taskId: string;
  readonly epoch: number;
  readonly attemptId: string;
}

interface Settling extends OfClaim {
  readonly operation: 'complete' | 'fail' | 'release';
  readonly result?: string;
}

/** What was done and seen, with its time in milliseconds since the start of the real machine: no clock of a test changes that. */
export type HistoryEntry = { readonly at: number } /** A worker asked the store, and was answered. */ & (
  | ({ readonly op: 'sent' } & Settling)
  | ({ readonly op: 'answered'; readonly answer: string; readonly late?: boolean } & Settling)
  /** It is on the disk of the machine; it was delivered, or refused and put aside. */
  | ({ readonly op: 'kept' | 'putAside' } & Settling)
  /** An agent's process wrote it itself. */
  | ({ readonly op: 'agentStarted' | 'agentSeen' | 'agentStopped' | 'agentFinished' } & OfClaim)
  /** Its worker has on disk that its agent finished. */
  | ({ readonly op: 'noted' } & OfClaim)
  /** Its worker had to end it: whether it finished before that is not known. */
  | ({ readonly op: 'agentEnded' } & OfClaim)
  /** The remote took it. */
  | ({ readonly op: 'pushed'; readonly branch: string; readonly commit: string } & OfClaim)
  /** Of the network between a machine and the server: nothing, some, or all packets pass. */
  | { readonly op: 'cut' | 'lossy' | 'joined'; readonly machine: string }
  | { readonly op: 'serverDown' | 'serverUp' }
  | { readonly op: 'machineKilled'; readonly machine: string }
  /** A machine that was killed can come back under another name, with its disk. */
  | { readonly op: 'machineStarted'; readonly machine: string; readonly disk: string }
  /** The process of these workers was killed. */
  | { readonly op: 'workersKilled'; readonly machine: string; readonly workers: readonly string[] }
  | { readonly op: 'clockSet'; readonly machine: string; readonly byMs: number }
);

type WithOp<Entry, Op> = Entry extends { readonly op: infer Own }
  ? Extract<Own, Op> extends never
    ? never
    : Entry
  : never;

export type EntryOf<Op extends HistoryEntry['op']> = WithOp<HistoryEntry, Op>;

type TaskFacts =
  | 'state'
  | 'epoch'
  | 'attemptId'
  | 'result'
  | 'failures'
  | 'maxFailures'
  | 'reclaims'
  | 'maxReclaims'
  | 'releases'
  | 'maxReleases';

/** What the store has in the end. */
export type FinalTask = Pick<Task, 'id' | TaskFacts> & { readonly dependsOn?: readonly string[] };
export type FinalAttempt = Pick<Attempt, 'id' | 'taskId' | 'epoch' | 'state' | 'result' | 'workerId'>;

export interface History {
  readonly entries: readonly HistoryEntry[];
  /** In the order of the feed; their times are those of the entries. */
  readonly events: readonly StoreEvent[];
  readonly tasks: readonly FinalTask[];
  readonly attempts: readonly FinalAttempt[];
  /** The machine of each worker. */
  readonly machines: ReadonlyMap<string, string>;
  /** The branches of the remote in the end. */
  readonly refs: ReadonlyMap<string, string>;
  readonly leaseMs: number;
  /** A machine that can reach the store this long has delivered what it kept. */
  readonly deliverMs: number;
}

export interface Violation {
  readonly invariant: string;
  readonly detail: string;
}

export const entriesOf = <Op extends HistoryEntry['op']>({ entries }: History, ...ops: Op[]): EntryOf<Op>[] =>
  entries.filter((entry): entry is EntryOf<Op> => (ops as readonly string[]).includes(entry.op));

export function grouped<Item>(items: readonly Item[], key: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}
