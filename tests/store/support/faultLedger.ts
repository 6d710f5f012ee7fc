import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { CompleteOutcome } from '../../../src/store/types.ts';

/** How badly a worker is treated; each is a probability. */
export interface WorkerFaults {
  readonly dieAsking: number;
  readonly loseReply: number;
  readonly duplicate: number;
  readonly reopen: number;
}

export interface WorkerOrders {
  readonly slot: string;
  readonly seed: number;
  readonly spec: string;
  readonly schema?: string | undefined;
  readonly ledger: string;
  /** What a slice of work takes at most. */
  readonly sliceMs: number;
  readonly faults: WorkerFaults;
}

interface OfAttempt {
  readonly key: string;
  readonly taskId: string;
  readonly epoch: number;
}

/** One line that a worker wrote before it asked, or after it was told. */
export type LedgerEntry =
  | { readonly event: 'died' | 'replyLost' | 'gaveWay' | 'reopened' }
  | { readonly event: 'unavailable'; readonly cause: string }
  | { readonly event: 'claim'; readonly key: string }
  | ({ readonly event: 'claimed' } & OfAttempt)
  | ({ readonly event: 'complete'; readonly result: string } & OfAttempt)
  | ({ readonly event: 'reply'; readonly type: string; readonly late: boolean; readonly result: string } & OfAttempt)
  | { readonly event: 'duplicate'; readonly key: string; readonly first: object; readonly again: object };

export type Reply = Extract<LedgerEntry, { event: 'reply' }>;
export type Duplicate = Extract<LedgerEntry, { event: 'duplicate' }>;

/** All that the workers wrote; a line that a kill cut short was never told to anybody. */
export function readLedgers(folder: string): LedgerEntry[] {
  return readdirSync(folder).flatMap((name) => {
    const lines = readFileSync(path.join(folder, name), 'utf8').split('\n');
    return lines.slice(0, -1).map((line) => JSON.parse(line) as LedgerEntry);
  });
}

export function repliesOf(entries: readonly LedgerEntry[], type: CompleteOutcome['type']): Reply[] {
  return entries.filter((entry): entry is Reply => entry.event === 'reply' && entry.type === type);
}
