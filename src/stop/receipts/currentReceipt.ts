import type { SignedReceipt } from '../../schemas/receipt.ts';
import { readTextFileSync } from '../../system/readTextFile.ts';
import { version } from '../../system/version.ts';
import { readSession } from '../readLedger.ts';
import { receiptOf } from './receiptOf.ts';
import { localKey, signReceipt } from './signing.ts';
import { verifyReceipt } from './verifyReceipt.ts';
import { receiptFile } from './writeReceipt.ts';

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
