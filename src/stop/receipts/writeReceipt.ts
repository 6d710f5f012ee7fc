import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SignedReceipt } from '../../schemas/receipt.ts';
import { type Clock, wallNow } from '../../system/clock.ts';
import { readTextFileSync } from '../../system/readTextFile.ts';
import { version } from '../../system/version.ts';
import { ledgerFolder } from '../ledger.ts';
import { pruneRecords, readSession } from '../readLedger.ts';
import { recordFile } from '../startFile.ts';
import { receiptOf } from './receiptOf.ts';
import { localKey, receiptText, signReceipt, verifyReceipt } from './signing.ts';

const receiptsFolder = (stopgateHome: string) => path.join(stopgateHome, 'receipts');

const receiptFile = (stopgateHome: string, session: string): string =>
  recordFile(receiptsFolder(stopgateHome), session, '.json');

/** The receipt of a session as its ledger has it now; null for a session that is not on record. */
function signedNow(stopgateHome: string, session: string): SignedReceipt | null {
  const receipt = receiptOf(readSession(stopgateHome, session), version);
  return receipt && signReceipt(receipt, localKey(stopgateHome));
}

export interface CurrentReceipt {
  readonly signed: SignedReceipt;
  /** What was found about the file of the last stop; null when it is as it was signed. */
  readonly note: string | null;
}

/** The receipt that was written at the last stop if nothing happened since, else a new one. */
export function currentReceipt(stopgateHome: string, session: string): CurrentReceipt | null {
  const now = signedNow(stopgateHome, session);
  const file = receiptFile(stopgateHome, session);
  const stored = readTextFileSync(file, LARGEST_RECEIPT);
  if (now === null || stored.type !== 'read') return now && { signed: now, note: null };
  const verified = verifyReceipt(stored.text);
  if (verified.type === 'valid') {
    const isSame = JSON.stringify(verified.signed.receipt) === JSON.stringify(now.receipt);
    return { signed: isSame ? verified.signed : now, note: null };
  }
  const what = verified.what.join(' ');
  return {
    signed: now,
    note: `${file} was changed after it was signed (${what}); this receipt is made from the ledger.`,
  };
}

const LARGEST_RECEIPT = 4_000_000;

/**
 * Writes the receipt of a session's latest stop; returns a sentence when it cannot. Without a sync, which would take longer than
 * all the rest of a stop: the ledger has the same facts.
 */
export function writeReceipt(stopgateHome: string, session: string, clock: Clock): string | null {
  const file = receiptFile(stopgateHome, session);
  const beside = `${file}.${process.pid}`;
  try {
    const signed = signedNow(stopgateHome, session);
    if (signed === null) return null;
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(beside, receiptText(signed), { mode: 0o600 });
    renameSync(beside, file);
    pruneRecords([ledgerFolder(stopgateHome), receiptsFolder(stopgateHome)], wallNow(clock));
    return null;
  } catch (error) {
    rmSync(beside, { force: true });
    return `Stopgate: the receipt could not be written to ${file} (${(error as Error).message}).`;
  }
}
