import path from 'node:path';
import type { JudgeFacts, TreeFacts } from '../../schemas/ledger.ts';
import type { Frozen } from '../frozen/frozen.ts';
import { claimOf, type NewEntry, recordEntry, recordedEnding } from '../ledger.ts';
import { readSession } from '../readLedger.ts';
import { receiptFile, writeReceipt } from '../receipts/writeReceipt.ts';
import type { GateWorld } from '../world.ts';
import type { Verdict } from './verdict.ts';
import { verificationSession } from './verificationRecord.ts';

interface Recorded {
  readonly attempt: { readonly taskId: string; readonly epoch: number; readonly result: string | null };
  readonly frozen: Frozen;
  readonly verdict: Verdict;
  readonly tree: TreeFacts | null;
  readonly durationMs: number;
  readonly verifier: string;
  /** Null where no judge was asked. */
  readonly judge: JudgeFacts | null;
}

/** The verdict in the ledger, and its signed receipt. Returns the receipt's file, and sentences about what could not be written. */
export function recordVerification(recorded: Recorded, world: Pick<GateWorld, 'stopgateHome' | 'clock' | 'env'>) {
  const { attempt, frozen, verdict, tree, verifier, judge } = recorded;
  const session = verificationSession(attempt);
  const subject = {
    ...{ session, folder: path.dirname(frozen.file), agent: 'verifier', hostPid: null, launch: null },
    worker: verifier,
  };
  const entry = {
    type: 'stop',
    ending: recordedEnding(verdict.ending),
    durationMs: Math.round(recorded.durationMs),
    ...claimOf({ last_assistant_message: attempt.result ?? '' }, world.env),
    ...(tree && { tree }),
    ...(judge && { judge }),
  } as const;
  if (judge !== null) recordEntry(spendOf(judge), { ...world, subject });
  const notWritten = recordEntry(entry, { ...world, subject });
  const entries = notWritten === null ? readSession(world.stopgateHome, session) : [];
  const notSigned = writeReceipt(world.stopgateHome, session, entries);
  const problems = [notWritten, notSigned].filter((one) => one !== null);
  return { problems, file: problems.length === 0 ? receiptFile(world.stopgateHome, session) : null };
}

const spendOf = ({ usd, inputTokens, outputTokens, requests }: JudgeFacts): NewEntry => ({
  type: 'spend',
  source: 'judge',
  spend: { usd, outputTokens, inputTokens, requests, ...(usd !== null && { bySource: { judge: usd } }) },
});
