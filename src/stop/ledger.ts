import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import type { GateDecision } from '../schemas/gateDecision.ts';
import { wallNow } from '../system/clock.ts';
import { MARKS } from '../system/marks.ts';
import type { GateEnding } from './ending.ts';
import { type Payload, sessionIdOf } from './payload.ts';
import { WORKER } from './worker/workerIdentity.ts';
import type { GateWorld } from './world.ts';

const MOST_BYTES = 2 * 1024 * 1024;

/** Outside every repository, where an agent would edit it. */
export const ledgerFile = (stopgateHome: string): string => path.join(stopgateHome, 'gates', 'decisions.jsonl');
export const olderLedgerFile = (stopgateHome: string): string => `${ledgerFile(stopgateHome)}.1`;

export interface LedgerEntry {
  readonly event: GateDecision['event'];
  /** The folder of the configuration. */
  readonly folder: string;
  readonly payload: Payload;
  readonly ending: GateEnding | null;
  readonly startedAt: number;
}

type Recorder = Pick<GateWorld, 'env' | 'clock' | 'stopgateHome' | 'hostPid'> & {
  readonly asker: { readonly name: string };
};

/**
 * Appends one decision. Each line is one `write`, so lines of several processes do not mix. Returns a sentence when it cannot be
 * written; the decision stands anyway.
 */
export function recordDecision({ event, folder, payload, ending, startedAt }: LedgerEntry, world: Recorder): string[] {
  const { env, clock, stopgateHome, hostPid, asker } = world;
  const decision = {
    at: new Date(wallNow(clock)).toISOString(),
    event,
    session: sessionIdOf(payload) ?? '',
    folder,
    agent: asker.name,
    hostPid,
    launch: env[MARKS.launch] || null,
    worker: env[WORKER] || null,
    ending,
    durationMs: clock.now() - startedAt,
  };
  const file = ledgerFile(stopgateHome);
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (size > MOST_BYTES) renameSync(file, olderLedgerFile(stopgateHome));
    appendFileSync(file, `${JSON.stringify(decision)}\n`, { mode: 0o600 });
    return [];
  } catch (error) {
    return [`Stopgate: the decision could not be recorded in ${file} (${(error as Error).message}).`];
  }
}
