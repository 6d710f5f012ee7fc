import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { LedgerEntry } from '../../schemas/ledger.ts';
import { version } from '../../system/version.ts';
import { receiptsFolder } from '../ledger.ts';
import { recordFile } from '../startFile.ts';
import { receiptOf } from './receiptOf.ts';
import { localKey, receiptText, signReceipt } from './signing.ts';

export const receiptFile = (stopgateHome: string, session: string): string =>
  recordFile(receiptsFolder(stopgateHome), session, '.json');

/**
 * Writes the receipt of a session's latest stop, from its lines in the ledger; returns a sentence when it cannot. Without a sync,
 * which would take longer than all the rest of a stop: the ledger has the same facts.
 */
export function writeReceipt(stopgateHome: string, session: string, entries: readonly LedgerEntry[]): string | null {
  const file = receiptFile(stopgateHome, session);
  const beside = `${file}.${process.pid}`;
  try {
    const receipt = receiptOf(entries, version);
    if (receipt === null) return null;
    const signed = signReceipt(receipt, localKey(stopgateHome));
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(beside, receiptText(signed), { mode: 0o600 });
    renameSync(beside, file);
    return null;
  } catch (error) {
    rmSync(beside, { force: true });
    return `Stopgate: the receipt could not be written to ${file} (${(error as Error).message}).`;
  }
}
