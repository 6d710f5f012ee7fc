import { existsSync } from 'node:fs';
import path from 'node:path';
import { jsonValue } from '../../schemas/jsonValue.ts';
import type { LeaseRecord } from '../../schemas/leaseRecord.ts';
import { readSealedFileSync, writeSealedFile } from '../../system/sealedFile.ts';
import { outboxFolder } from './outbox.ts';

const fileOf = (stopgateHome: string, workerId: string) =>
  path.join(outboxFolder(stopgateHome), 'leases', `${workerId.replaceAll(/[^\w.-]/g, '-')}.json`);

/** Written when a worker's agent gets a task. Without it, the agent cannot settle the task while the store is away. */
export function writeLease(stopgateHome: string, record: LeaseRecord): Promise<void> {
  return writeSealedFile(stopgateHome, fileOf(stopgateHome, record.lease.workerId), JSON.stringify(record));
}

/** The last claim of a worker of this machine. */
export async function readLease(stopgateHome: string, workerId: string): Promise<LeaseRecord | null> {
  const file = fileOf(stopgateHome, workerId);
  if (!existsSync(file)) return null;
  const { leaseRecord } = await import('../../schemas/leaseRecord.ts');
  const read = readSealedFileSync(stopgateHome, file);
  const record = leaseRecord.safeParse(read.type === 'sealed' ? jsonValue(read.text) : undefined).data;
  return record?.lease.workerId === workerId ? record : null;
}
