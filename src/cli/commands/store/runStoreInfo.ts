import { statSync } from 'node:fs';
import { type StorePlace, showStorePlace } from '../../../store/storePlace.ts';
import { formatBytes } from '../../../system/formatBytes.ts';
import { printResult } from '../../output/printResult.ts';
import { available, type Store } from '../../wiring/store/openedStore.ts';
import { openTaskStoreToRead } from '../../wiring/store/openTaskStore.ts';
import { chooseStorePlace } from '../../wiring/store/storePlace.ts';
import type { TaskWorld } from '../../wiring/store/taskWorld.ts';
import { totalsLine } from '../task/list/listText.ts';
import type { CommonOptions } from '../task/taskOptions.ts';
import { describeLease } from './runStoreLease.ts';
import { describePolicy, policyOf } from './runStorePolicy.ts';

/** `stopgate store info`. */
export async function runStoreInfo(options: CommonOptions, world: TaskWorld): Promise<number> {
  const place = chooseStorePlace({ flag: options.store, ...world });
  await using store = await openTaskStoreToRead(options.store, world);
  const info = await gatherInfo(store, place);
  return printResult(options.json ? info : null, world, () => infoText(info));
}

export type StoreInfo = Awaited<ReturnType<typeof gatherInfo>>;

export async function gatherInfo(store: Store, place: StorePlace) {
  const { type: _about, ...about } = available(await store.about());
  const { type: _counts, ...counts } = available(await store.counts());
  const running = available(await store.workers({ running: true })).workers.length;
  const sizeBytes = place.type === 'sqlite' ? sizeOf(place.path) : null;
  const policy = await policyOf(store);
  const schedules = available(await store.schedules()).schedules.length;
  return { ...about, location: showStorePlace(place), counts, workers: running, schedules, policy, sizeBytes };
}

/** Including the write-ahead log. */
function sizeOf(file: string): number {
  const size = (name: string) => statSync(name, { throwIfNoEntry: false })?.size ?? 0;
  return size(file) + size(`${file}-wal`);
}

const KINDS = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const;

function infoText(info: StoreInfo): string {
  const { kind, location, schemaVersion, generation, counts, now, workers, sizeBytes, movedTo } = info;
  const lines: [string, string | null][] = [
    ['Kind', KINDS[kind]],
    ['Place', location],
    ['Schema', `version ${schemaVersion}`],
    ['Moved', `${generation - 1} time${generation === 2 ? '' : 's'} (generation ${generation})`],
    ['Tasks', totalsLine({ counts, now })],
    ['Workers', `${workers} running`],
    ['Recurs', info.schedules === 0 ? null : `${info.schedules} recurring task${info.schedules === 1 ? '' : 's'}`],
    ['Lease', describeLease(info.leaseMs)],
    ['Policy', describePolicy(info.policy, now)],
    ['Size', sizeBytes === null ? null : formatBytes(sizeBytes)],
    ['Now at', movedTo === null ? null : `${movedTo}; this one is read-only`],
  ];
  return lines.flatMap(([name, value]) => (value === null ? [] : [`${name.padEnd(8)}${value}\n`])).join('');
}
