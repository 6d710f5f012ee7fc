import type { TreeFacts } from '../../schemas/ledger.ts';
import { evidenceOfPayload } from '../../session/evidence/transcriptEvidence.ts';
import type { GateEnding } from '../ending.ts';
import { claimOf, recordDecision, recordedEnding, redacted } from '../ledger.ts';
import { type Payload, sessionIdOf } from '../payload.ts';
import { readSession } from '../readLedger.ts';
import type { GateWorld } from '../world.ts';
import { writeReceipt } from './writeReceipt.ts';

interface RecordedStop {
  readonly folder: string;
  readonly payload: Payload;
  readonly ending: GateEnding;
  readonly tree: TreeFacts | undefined;
  readonly durationMs: number;
}

/** A stop that checks answered: its line in the ledger, then its receipt. Returns notes for people. */
export function recordStop({ folder, payload, ending, tree, durationMs }: RecordedStop, world: GateWorld) {
  const evidence = evidenceOfPayload(payload, (text) => redacted(text, world.env));
  const entry = {
    type: 'stop',
    ending: recordedEnding(ending),
    durationMs: Math.round(durationMs),
    ...claimOf(payload, world.env),
    ...(tree && { tree }),
    ...(evidence && { evidence }),
  } as const;
  const notes = recordDecision({ entry, folder, payload }, world);
  const session = sessionIdOf(payload) ?? '';
  const entries = notes.length > 0 ? [] : readSession(world.stopgateHome, session);
  const failure = writeReceipt(world.stopgateHome, session, entries);
  return [...notes, ...(failure === null ? [] : [failure])];
}
