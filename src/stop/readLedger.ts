import { readFile } from 'node:fs/promises';
import { type GateDecision, gateDecision } from '../schemas/gateDecision.ts';
import { ledgerFile, olderLedgerFile } from './ledger.ts';

/** Every decision that is still recorded, oldest first. A line that a crash tore is passed over. */
export async function readLedger(stopgateHome: string): Promise<readonly GateDecision[]> {
  const files = [olderLedgerFile(stopgateHome), ledgerFile(stopgateHome)];
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
  return texts.flatMap((text) => text.split('\n')).flatMap(readLine);
}

function readLine(line: string): readonly GateDecision[] {
  if (line === '') return [];
  try {
    const read = gateDecision.safeParse(JSON.parse(line));
    return read.success ? [read.data] : [];
  } catch {
    return [];
  }
}
