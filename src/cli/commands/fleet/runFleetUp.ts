import { Coordinator, STORE_AWAY } from '../../../fleet/coordinator/coordinator.ts';
import type { FleetEvent } from '../../../fleet/coordinator/fleetEvent.ts';
import { isSlotOf } from '../../../fleet/coordinator/fleetSettings.ts';
import { reviewLimitedStore } from '../../../fleet/worker/reviewLimitedStore.ts';
import { agentCommand } from '../../../hosts/agentCommand.ts';
import { permissionHint } from '../../../hosts/permissionHint.ts';
import { whyNoAgent } from '../../../hosts/whyNoAgent.ts';
import { watchChores } from '../../../launch/prune/watchChores.ts';
import { openVerifier } from '../../../launch/verify/verifier.ts';
import { placeText } from '../../../store/storePlace.ts';
import { wallNow } from '../../../system/clock.ts';
import { thisProcess } from '../../../system/processLife.ts';
import { UserError } from '../../../system/userError.ts';
import { thisWorld } from '../../../system/world.ts';
import { available, type Store } from '../../wiring/store/openedStore.ts';
import { openTaskStore, UNAVAILABLE_EXIT } from '../../wiring/store/openTaskStore.ts';
import { chooseStorePlace } from '../../wiring/store/storePlace.ts';
import type { TaskWorld } from '../../wiring/store/taskWorld.ts';
import { ownLease } from '../worker/workerRequest.ts';
import { coordinatorWorld } from './coordinatorWorld.ts';
import { describeFleetEvent } from './describeFleetEvent.ts';
import { fleetFolder, keepLogsSmall, keepRecord } from './fleetFolder.ts';
import { type FleetRequest, type FleetUpOptions, fleetRequest } from './fleetRequest.ts';

/** The drain timeout after a second signal. */
const HURRY_MS = 10_000;

/** `stopgate fleet up`: runs until a signal, then until everything is shut down. */
export async function runFleetUp(words: readonly string[], options: FleetUpOptions, world: TaskWorld): Promise<number> {
  const request = fleetRequest(words, options);
  const { name: fleet, drainTimeoutMs } = request.settings;
  for (const warning of request.warnings) world.warn(warning);
  const command = await agentCommand({ agent: options.agent, words: [], env: world.env });
  const worktrees = options.worktrees === true;
  // otherwise each worker would report a misspelled agent in its log
  const noAgent = whyNoAgent(command, { ...world, worktrees });
  if (noAgent !== null) throw new UserError(noAgent);
  const hint = permissionHint({ ...world, words, worktrees, agent: command.agent });
  if (hint !== null) world.warn(hint);
  await using store = await openTaskStore(options.store, world, null);
  const { queue } = request.settings;
  if (request.reviewLimit !== undefined)
    available(await store.limitReviews({ queue, limit: request.reviewLimit, actor: `fleet ${fleet}` }));
  // no worker is started for tasks that it would not claim
  const limited = reviewLimitedStore(store, { clock: world.clock, report: world.warn });
  const coordinator = await coordinatorHere(request, options, { world, store: limited });
  const { location } = available(await store.about({}));
  using _record = await keepRecord(world.stopgateHome, {
    fleet,
    ...thisProcess(),
    store: location,
    startedAt: wallNow(world.clock),
  });
  using _signals = shutDownOnSignals(coordinator, drainTimeoutMs);
  using _logs = keepLogsSmall(world.stopgateHome, fleet);
  if (!options.json) world.print(await greeting(request, store, fleetFolder(world.stopgateHome)));
  await using _verifier = verifyHere(request, { world, store });
  await using _chores = choresHere(request, { world, store });
  const { left } = await coordinator.run();
  return exitOf(left);
}

/** 69: nothing runs, but the store could not be told. */
function exitOf([first, ...others]: readonly string[]): number {
  if (first === undefined) return 0;
  return first === STORE_AWAY && others.length === 0 ? UNAVAILABLE_EXIT : 1;
}

/** Workers verify too; but they may all have left when the last task is completed, or be killed while they verify. */
const VERIFY_EVERY_MS = 15_000;

function verifyHere(
  { settings }: FleetRequest,
  { world, store }: { readonly world: TaskWorld; readonly store: Store },
): AsyncDisposable {
  const over = new AbortController();
  const here = thisWorld();
  const verifier = openVerifier({
    ...{ store, world: here, name: `fleet ${settings.name}`, queue: settings.queue, signal: over.signal },
    report: (sentence) => world.warn(sentence),
  });
  // its workers come first
  const watching = here.clock
    .sleep(VERIFY_EVERY_MS, over.signal)
    .then(() => verifier.watch(VERIFY_EVERY_MS, over.signal));
  return {
    [Symbol.asyncDispose]: async () => {
      over.abort('the fleet ends');
      await watching;
      await here.processes.endAll();
    },
  };
}

/** Its workers do them too, but there may be none: a recurring task may be the reason to start one. */
function choresHere(
  { settings }: FleetRequest,
  { world, store }: { readonly world: TaskWorld; readonly store: Store },
): AsyncDisposable {
  const over = new AbortController();
  const here = thisWorld();
  const report = (sentence: string) => world.warn(sentence);
  const doing = watchChores({ store, world: here, name: `fleet ${settings.name}`, report, signal: over.signal });
  return {
    [Symbol.asyncDispose]: async () => {
      over.abort('the fleet ends');
      await doing;
      await here.processes.endAll();
    },
  };
}

/** A coordinator that prints its events. */
export async function coordinatorHere(
  { settings, workerArgs, slots }: FleetRequest,
  { json, ignoreLoad, store: flag }: FleetUpOptions,
  { world, store }: { readonly world: TaskWorld; readonly store: Store },
): Promise<Coordinator> {
  const storePlace = placeText(chooseStorePlace({ flag, ...world }));
  const { location: storeLocation } = available(await store.about({}));
  const emit = (event: FleetEvent) => {
    const now = wallNow(world.clock);
    if (json) world.print(`${JSON.stringify({ at: now, ...event })}\n`);
    else world.print(`${new Date(now).toTimeString().slice(0, 8)}  ${describeFleetEvent(event)}\n`);
  };
  const place = { store, storePlace, storeLocation, fleet: settings.name, workerArgs, slots };
  const here = { ...world, ...place, ignoresLoad: ignoreLoad === true, emit };
  return new Coordinator({ ...settings, lease: ownLease(world.env) }, coordinatorWorld(here));
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

async function greeting({ settings }: FleetRequest, store: Store, logs: string): Promise<string> {
  const { name, most, queue } = settings;
  const { location } = available(await store.about({}));
  const { workers } = available(await store.workers({ running: true }));
  const running = workers.filter(({ id }) => isSlotOf(name, id)).length;
  const upTo = `up to ${most} worker${most === 1 ? '' : 's'}`;
  const already = running > 0 ? `, ${running} running` : '';
  return `Fleet ${name}: ${upTo}${already}, queue ${queue}, ${location}\nCtrl-C drains it, \`stopgate fleet status\` shows it, and workers write to ${logs}/WORKER.log.\n`;
}
