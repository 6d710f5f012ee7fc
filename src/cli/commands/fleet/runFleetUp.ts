import { hostname } from 'node:os';
import { Coordinator } from '../../../fleet/coordinator/coordinator.ts';
import type { FleetEvent } from '../../../fleet/coordinator/fleetEvent.ts';
import { isSlotOf } from '../../../fleet/coordinator/fleetSettings.ts';
import { agentCommand } from '../../../hosts/agentCommand.ts';
import { permissionHint } from '../../../hosts/permissionHint.ts';
import { whyNoAgent } from '../../../hosts/whyNoAgent.ts';
import { placeText } from '../../../store/storePlace.ts';
import { wallNow } from '../../../system/clock.ts';
import { startOfProcess } from '../../../system/processLife.ts';
import { UserError } from '../../../system/userError.ts';
import { available, type Store } from '../../wiring/store/openedStore.ts';
import { openTaskStore } from '../../wiring/store/openTaskStore.ts';
import { chooseStorePlace } from '../../wiring/store/storePlace.ts';
import type { TaskWorld } from '../../wiring/store/taskWorld.ts';
import { fleetFolder, keepRecord } from './coordinatorRecords.ts';
import { coordinatorWorld } from './coordinatorWorld.ts';
import type { FleetRequest } from './fleetRequest.ts';
import { fleetEventInWords } from './fleetWords.ts';
import { keepLogsSmall } from './workerLogs.ts';

/** Something was left running, or could not be asked about. */
const LEFT_BEHIND_EXIT = 1;
/** What somebody who asks again still waits for. */
const HURRY_MS = 10_000;

/** `stopgate fleet up`: until a signal, and then until everything is put down. */
export async function runFleetUp(request: FleetRequest, world: TaskWorld): Promise<number> {
  for (const warning of request.warnings) world.warn(warning);
  const command = await agentCommand({ agent: request.agent, words: [], env: world.env });
  // a typing mistake would otherwise be found by workers, one after the other, in logs
  const noAgent = whyNoAgent(command, { ...world, worktrees: request.worktrees });
  if (noAgent !== null) throw new UserError(noAgent);
  const hint = permissionHint({ ...request, ...world, agent: command.agent });
  if (hint !== null) world.warn(hint);
  await using store = await openTaskStore(request.store, world);
  const { location } = available(await store.about({}));
  const place = chooseStorePlace({ flag: request.store, ...world });
  const coordinator = new Coordinator(
    request.settings,
    coordinatorWorld({
      ...world,
      ...request,
      store,
      storePlace: placeText(place),
      storeLocation: location,
      emit: teller(request.json, world),
    }),
  );
  using _record = await keepRecord(world.stopgateHome, {
    fleet: request.settings.name,
    host: hostname(),
    pid: process.pid,
    pidStart: startOfProcess(process.pid) ?? null,
    store: location,
    startedAt: wallNow(world.clock),
  });
  using _signals = shutDownOnSignals(coordinator, request.settings.drainTimeoutMs);
  using _logs = keepLogsSmall(world.stopgateHome, request.settings.name);
  if (!request.json) world.say(await greeting(request, { store, location, logs: fleetFolder(world.stopgateHome) }));
  const { left } = await coordinator.run();
  return left.length === 0 ? 0 : LEFT_BEHIND_EXIT;
}

/** The first signal drains, every further one hurries. */
export function shutDownOnSignals(coordinator: Coordinator, drainTimeoutMs: number): Disposable {
  let asked = 0;
  const listener = () => {
    asked += 1;
    coordinator.shutDown(asked === 1 ? drainTimeoutMs : Math.min(HURRY_MS, drainTimeoutMs));
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, listener);
  return {
    [Symbol.dispose]: () => {
      for (const signal of signals) process.off(signal, listener);
    },
  };
}

export function teller(json: boolean, world: TaskWorld): (event: FleetEvent) => void {
  return (event) => {
    const now = wallNow(world.clock);
    if (json) world.say(`${JSON.stringify({ at: now, ...event })}\n`);
    else world.say(`${new Date(now).toTimeString().slice(0, 8)}  ${fleetEventInWords(event)}\n`);
  };
}

interface FleetPlaces {
  readonly store: Store;
  readonly location: string;
  readonly logs: string;
}

async function greeting({ settings }: FleetRequest, { store, location, logs }: FleetPlaces): Promise<string> {
  const { name, most, queue } = settings;
  const { workers } = available(await store.workers({ running: true }));
  const running = workers.filter(({ id }) => isSlotOf(name, id)).length;
  const upTo = `up to ${most} worker${most === 1 ? '' : 's'}`;
  const already = running > 0 ? `, ${running} running` : '';
  return `Fleet ${name}: ${upTo}${already}, queue ${queue}, ${location}\nCtrl-C drains it; \`stopgate fleet status\` shows it; workers write to ${logs}/WORKER.log.\n`;
}
