import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isSlotOf } from '../../../fleet/coordinator/fleetSettings.ts';
import { type CoordinatorRecord, coordinatorRecord } from '../../../schemas/coordinatorRecord.ts';
import { jsonValue } from '../../../schemas/jsonValue.ts';
import { type RestRecord, restRecord } from '../../../schemas/restRecord.ts';
import { writeFileAtomically } from '../../../system/atomicFile.ts';
import { attempt } from '../../../system/attempt.ts';
import { boundLog } from '../../../system/boundedLog.ts';
import { isSameProcess } from '../../../system/processLife.ts';
import { isSameHost, thisHost } from '../../../system/thisHost.ts';
import type { Worker } from '../../wiring/store/openedStore.ts';

export const fleetFolder = (stopgateHome: string) => path.join(stopgateHome, 'fleet');

export interface KeptRecord extends Disposable {
  noteShortage(shortage: CoordinatorRecord['shortage']): void;
}

/** Keeps a record while this process runs; the record of a killed coordinator is removed by the next reader. */
export async function keepRecord(
  stopgateHome: string,
  facts: Omit<CoordinatorRecord, 'shortage'>,
): Promise<KeptRecord> {
  let record: CoordinatorRecord = { ...facts, shortage: null };
  const folder = fleetFolder(stopgateHome);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, `${record.fleet}.${record.pid}.json`);
  await writeFileAtomically(file, `${JSON.stringify(record)}\n`);
  return {
    noteShortage: (shortage) => {
      const next = { ...record, shortage };
      if (isDeepStrictEqual(record, next)) return;
      record = next;
      // a failed write only hides it from `fleet status`; renamed, because a reader in between would see no coordinator
      attempt(() => {
        writeFileSync(`${file}.new`, `${JSON.stringify(record)}\n`);
        renameSync(`${file}.new`, file);
      }, undefined);
    },
    [Symbol.dispose]: () => rmSync(file, { force: true }),
  };
}

/** The running coordinators of this host, oldest first. */
export function runningCoordinators(stopgateHome: string): readonly CoordinatorRecord[] {
  const folder = fleetFolder(stopgateHome);
  return attempt(() => readdirSync(folder), [])
    .filter((name) => /\.\d+\.json$/.test(name))
    .flatMap((name) => {
      const file = path.join(folder, name);
      const { data: record } = coordinatorRecord.safeParse(jsonValue(attempt(() => readFileSync(file, 'utf8'), '')));
      if (record === undefined || !isSameHost(record.host, thisHost())) return [];
      if (isSameProcess(record.pid, record.pidStart)) return [record];
      rmSync(file, { force: true });
      return [];
    })
    .toSorted((one, other) => one.startedAt - other.startedAt);
}

export const LOG_BYTES = 10 * 1024 * 1024;
const CHECK_EVERY_MS = 60_000;

/** The files of a worker; its name may contain anything. */
const workerFile = (stopgateHome: string, slot: string, ending: string) =>
  path.join(fleetFolder(stopgateHome), `${slot.replaceAll(/[^\w.-]/g, '-')}.${ending}`);

export const workerLog = (stopgateHome: string, slot: string) => workerFile(stopgateHome, slot, 'log');

/** What its agent has spent, where the agent reports it. */
export const workerSpend = (stopgateHome: string, slot: string) => workerFile(stopgateHome, slot, 'spend');

/** Why a worker starts no agent now; null ends that. A failed write only hides it from `fleet status`. */
export function noteRest(stopgateHome: string, slot: string, rest: RestRecord | null): void {
  const file = workerFile(stopgateHome, slot, 'rest');
  attempt(() => (rest === null ? rmSync(file, { force: true }) : writeFileSync(file, JSON.stringify(rest))), undefined);
}

export function restOf(
  stopgateHome: string,
  { id, incarnation }: Pick<Worker, 'id' | 'incarnation'>,
): RestRecord | null {
  const text = attempt(() => readFileSync(workerFile(stopgateHome, id, 'rest'), 'utf8'), '');
  const rest = text === '' ? undefined : restRecord.safeParse(jsonValue(text)).data;
  return rest?.incarnation === incarnation ? rest : null;
}

/** Trims the logs of running workers, which may run for weeks. */
export function keepLogsSmall(stopgateHome: string, fleet: string): Disposable {
  const folder = fleetFolder(stopgateHome);
  const trim = () => {
    for (const name of readdirSync(folder)) {
      if (name.endsWith('.log') && isSlotOf(fleet, name.slice(0, -4))) boundLog(path.join(folder, name), LOG_BYTES);
    }
  };
  const timer = setInterval(trim, CHECK_EVERY_MS);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
