import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { jsonValue } from '../../schemas/jsonValue.ts';
import { type SlotRecord, slotRecord } from '../../schemas/slotProcess.ts';
import { socketPath } from '../../store/sqlite/broker/socketPath.ts';
import { attempt } from '../../system/attempt.ts';
import { isSameProcess } from '../../system/processLife.ts';

const folderOf = (stopgateHome: string) => path.join(stopgateHome, 'fleet', 'processes');
const fileOf = (stopgateHome: string, pid: number) => path.join(folderOf(stopgateHome), `${pid}.json`);

/** Where a process with many slots takes orders. */
export const slotSocket = (stopgateHome: string, pid: number): string =>
  socketPath(path.join(folderOf(stopgateHome), String(pid)));

/** For the socket and the record, of this user alone. */
export function makeSlotFolder(stopgateHome: string): void {
  mkdirSync(folderOf(stopgateHome), { recursive: true, mode: 0o700 });
}

/** Replaced whole: a reader sees the slots before or after a change. */
export function writeSlotRecord(stopgateHome: string, record: SlotRecord): void {
  const file = fileOf(stopgateHome, record.pid);
  writeFileSync(`${file}.new`, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

export function removeSlotRecord(stopgateHome: string, pid: number): void {
  rmSync(fileOf(stopgateHome, pid), { force: true });
}

/** Removes what killed processes left. */
export function removeOldRecords(stopgateHome: string): void {
  for (const name of attempt(() => readdirSync(folderOf(stopgateHome)), [])) {
    const pid = Number(name.split('.', 1)[0]);
    if (Number.isSafeInteger(pid) && pid > 0 && !isSameProcess(pid, null))
      attempt(() => rmSync(path.join(folderOf(stopgateHome), name), { force: true }), undefined);
  }
}

type RecordedProcess = Pick<SlotRecord, 'pid' | 'pidStart'>;

/** Reads the records of processes, which are read every second and rarely change. Null: the process is one worker. */
export function slotRecordReader(stopgateHome: string): (process: RecordedProcess) => SlotRecord | null {
  const known = new Map<number, { readonly text: string; readonly record: SlotRecord | null }>();
  return ({ pid, pidStart }) => {
    const text = attempt(() => readFileSync(fileOf(stopgateHome, pid), 'utf8'), '');
    if (text === '') {
      known.delete(pid);
      return null;
    }
    const before = known.get(pid);
    const record = before?.text === text ? before.record : (slotRecord.safeParse(jsonValue(text)).data ?? null);
    known.set(pid, { text, record });
    return record?.pidStart === pidStart ? record : null;
  };
}
