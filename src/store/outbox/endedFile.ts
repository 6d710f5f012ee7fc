import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { EndedRecord } from '../../schemas/endedRecord.ts';
import { jsonValue } from '../../schemas/jsonValue.ts';
import { attempt } from '../../system/attempt.ts';
import { readSealedFileSync, writeSealedFile } from '../../system/sealedFile.ts';
import { keptFileName, removeFile } from './keptFiles.ts';
import { outboxFolder } from './outbox.ts';

const folderOf = (stopgateHome: string) => path.join(outboxFolder(stopgateHome), 'ended');
const fileOf = (stopgateHome: string, attemptId: string) => path.join(folderOf(stopgateHome), keptFileName(attemptId));

/**
 * Written when an agent has finished, before its work is committed, pushed and checked, which can take minutes. When its worker is killed
 * in that time, the next worker or coordinator of this machine settles it instead. Sealed: an exit code of 0 completes a task, and an
 * agent must not be able to claim one.
 */
export function writeEnded(stopgateHome: string, record: EndedRecord): Promise<void> {
  return writeSealedFile(stopgateHome, fileOf(stopgateHome, record.lease.attemptId), JSON.stringify(record));
}

/** All of this machine, of all stores. `onForged` is called with a file that Stopgate did not write so; it stays for people. */
export async function endedRecords(
  stopgateHome: string,
  onForged: (file: string) => void = () => {},
): Promise<readonly EndedRecord[]> {
  const names = attempt(() => readdirSync(folderOf(stopgateHome)), []).filter((name) => name.endsWith('.json'));
  // most of the time there is none, and the schemas are not needed
  if (names.length === 0) return [];
  const { endedRecord } = await import('../../schemas/endedRecord.ts');
  return names.flatMap((name) => {
    const file = path.join(folderOf(stopgateHome), name);
    const read = readSealedFileSync(stopgateHome, file);
    // settled by another process meanwhile
    if (read.type === 'missing') return [];
    const record = endedRecord.safeParse(read.type === 'sealed' ? jsonValue(read.text) : undefined).data;
    if (record !== undefined && keptFileName(record.lease.attemptId) === name) return [record];
    onForged(file);
    return [];
  });
}

/** The settlement is on disk, or in the store. */
export const removeEnded = (stopgateHome: string, attemptId: string): void =>
  void removeFile(fileOf(stopgateHome, attemptId));
