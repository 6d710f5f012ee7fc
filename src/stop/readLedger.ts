import { readFile } from 'node:fs/promises';
import { type GateDecision, gateDecision } from '../schemas/gateDecision.ts';
import { jsonValue } from '../schemas/jsonValue.ts';
import { ledgerFile, olderLedgerFile } from './ledger.ts';

/** Every decision on record, oldest first. Skips lines that a crash cut off. */
export async function readLedger(stopgateHome: string): Promise<readonly GateDecision[]> {
  const files = [olderLedgerFile(stopgateHome), ledgerFile(stopgateHome)];
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
  return texts.flatMap((text) => text.split('\n')).flatMap(readLine);
}

function readLine(line: string): readonly GateDecision[] {
  const read = gateDecision.safeParse(jsonValue(line));
  return read.success ? [read.data] : [];
}
