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
import { coordinatorWorld } from './coordinatorWorld.ts';
import { describeFleetEvent } from './describeFleetEvent.ts';
import { fleetFolder, keepLogsSmall, keepRecord } from './fleetFolder.ts';
import type { FleetRequest } from './fleetRequest.ts';

/** The drain timeout after a second signal. */
const HURRY_MS = 10_000;

/** `stopgate fleet up`: runs until a signal, then until everything is shut down. */
export async function runFleetUp(request: FleetRequest, world: TaskWorld): Promise<number> {
  for (const warning of request.warnings) world.warn(warning);
  const command = await agentCommand({ agent: request.agent, words: [], env: world.env });
  // otherwise each worker would report a misspelled agent in its log
  const noAgent = whyNoAgent(command, { ...world, worktrees: request.worktrees });
  if (noAgent !== null) throw new UserError(noAgent);
  const hint = permissionHint({ ...request, ...world, agent: command.agent });
  if (hint !== null) world.warn(hint);
  await using store = await openTaskStore(request.store, world);
  const { location } = available(await store.about({}));
  const coordinator = new Coordinator(
    request.settings,
    coordinatorWorld({
      ...world,
      ...request,
      store,
      storePlace: placeText(chooseStorePlace({ flag: request.store, ...world })),
      storeLocation: location,
      emit: eventPrinter(request.json, world),
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
  if (!request.json) world.print(await greeting(request, { store, location, logs: fleetFolder(world.stopgateHome) }));
  const { left } = await coordinator.run();
  return left.length === 0 ? 0 : 1;
}

/** The first signal drains; any further one shortens the timeout. */
export function shutDownOnSignals(coordinator: Coordinator, drainTimeoutMs: number): Disposable {
  let count = 0;
  const listener = () => {
    count += 1;
    coordinator.shutDown(count === 1 ? drainTimeoutMs : Math.min(HURRY_MS, drainTimeoutMs));
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, listener);
  return {
    [Symbol.dispose]: () => {
      for (const signal of signals) process.off(signal, listener);
    },
  };
}

export function eventPrinter(json: boolean, world: TaskWorld): (event: FleetEvent) => void {
  return (event) => {
    const now = wallNow(world.clock);
    if (json) world.print(`${JSON.stringify({ at: now, ...event })}\n`);
    else world.print(`${new Date(now).toTimeString().slice(0, 8)}  ${describeFleetEvent(event)}\n`);
  };
}

async function greeting(
  { settings }: FleetRequest,
  { store, location, logs }: { readonly store: Store; readonly location: string; readonly logs: string },
): Promise<string> {
  const { name, most, queue } = settings;
  const { workers } = available(await store.workers({ running: true }));
  const running = workers.filter(({ id }) => isSlotOf(name, id)).length;
  const upTo = `up to ${most} worker${most === 1 ? '' : 's'}`;
  const already = running > 0 ? `, ${running} running` : '';
  return `Fleet ${name}: ${upTo}${already}, queue ${queue}, ${location}\nCtrl-C drains it, \`stopgate fleet status\` shows it, and workers write to ${logs}/WORKER.log.\n`;
}
