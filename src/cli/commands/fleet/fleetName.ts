import { hostname } from 'node:os';
import { isSlotOf } from '../../../fleet/coordinator/fleetSettings.ts';
import { DEFAULT_QUEUE } from '../../../store/taskDefaults.ts';
import { isSameHost, ownName, thisHost } from '../../../system/thisHost.ts';
import { UserError } from '../../../system/userError.ts';
import { available, type Store, type Worker } from '../../wiring/store/openedStore.ts';
import type { Flags } from '../task/taskOptions.ts';
import { runningCoordinators } from './fleetFolder.ts';

type NameOptions = Flags<'name' | 'queue'>;

/** Of the machine's key: hundreds of containers may have one hostname. */
const KEY_LENGTH = 6;

/** By default, one fleet per machine and queue: coordinators with one name act as one, and machines may share a hostname. */
export function fleetName({ name, queue }: NameOptions, machine: string = ownName(KEY_LENGTH)): string {
  if (name !== undefined) {
    if (/^[A-Za-z0-9][\w.-]{0,59}$/.test(name)) return name;
    throw new UserError(`--name ${name} cannot be the name of a fleet; use letters, digits and . _ -`);
  }
  const host = machine.replaceAll(/[^\w-]/g, '-') || 'fleet';
  return queue === undefined || queue === DEFAULT_QUEUE ? host : `${host}-${queue.replaceAll(/[^\w.-]/g, '-')}`;
}

/** As earlier versions named it: the same on machines with one hostname. */
const earlierName = (options: NameOptions) => fleetName(options, hostname().split('.')[0] ?? '');

/** A fleet of an earlier version that still runs here keeps its name: otherwise its workers would run beside the new ones. */
export async function fleetNameHere(
  options: NameOptions,
  {
    store,
    location,
    stopgateHome,
  }: { readonly store: Store; readonly location: string; readonly stopgateHome: string },
): Promise<string> {
  const name = fleetName(options);
  if (options.name !== undefined) return name;
  const earlier = earlierName(options);
  const isEarlier = (record: { readonly fleet: string; readonly store: string }) =>
    record.fleet === earlier && record.store === location;
  if (runningCoordinators(stopgateHome).some(isEarlier)) return earlier;
  const { workers } = available(await store.workers({ running: true }));
  return workers.some(runsHereIn(earlier)) ? earlier : name;
}

const runsHereIn =
  (fleet: string) =>
  ({ id, host }: Worker): boolean =>
    isSlotOf(fleet, id) && isSameHost(host, thisHost());
