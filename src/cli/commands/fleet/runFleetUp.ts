import { Coordinator, STORE_AWAY } from '../../../fleet/coordinator/coordinator.ts';
import { isSlotOf } from '../../../fleet/coordinator/fleetSettings.ts';
import type { LeaseTimes } from '../../../fleet/decisions/leaseTimes.ts';
import { awaitingStore } from '../../../fleet/worker/awaitAnswer.ts';
import { noteOutages } from '../../../fleet/worker/noteOutages.ts';
import { reviewLimitedStore } from '../../../fleet/worker/reviewLimitedStore.ts';
import { agentCommand } from '../../../hosts/agentCommand.ts';
import { permissionHint } from '../../../hosts/permissionHint.ts';
import { whyNoAgent } from '../../../hosts/whyNoAgent.ts';
import { watchChores } from '../../../launch/prune/watchChores.ts';
import { openVerifier } from '../../../launch/verify/verifier.ts';
import { whyUnchecked } from '../../../launch/verify/whyUnchecked.ts';
import { placeText } from '../../../store/storePlace.ts';
import { thisProcess } from '../../../system/processLife.ts';
import { UserError } from '../../../system/userError.ts';
import { thisWorld, type World } from '../../../system/world.ts';
import { available, type Store } from '../../wiring/store/openedStore.ts';
import { openTaskStore, UNAVAILABLE_EXIT } from '../../wiring/store/openTaskStore.ts';
import { chooseStorePlace } from '../../wiring/store/storePlace.ts';
import type { TaskWorld } from '../../wiring/store/taskWorld.ts';
import { checkLease, checkWorktrees, leaseHere, whyMoved } from '../worker/workerRequest.ts';
import { coordinatorWorld } from './coordinatorWorld.ts';
import { fleetEmitter, timedLine } from './fleetEmitter.ts';
import { fleetFolder, type KeptRecord, keepLogsSmall, keepRecord } from './fleetFolder.ts';
import { fleetNameHere } from './fleetName.ts';
import { type FleetRequest, type FleetUpOptions, fleetRequest } from './fleetRequest.ts';

/** The drain timeout after a second signal. */
const HURRY_MS = 10_000;

/** `stopgate fleet up`: runs until a signal, then until everything is shut down. */
export async function runFleetUp(words: readonly string[], options: FleetUpOptions, world: TaskWorld): Promise<number> {
  const asked = fleetRequest(words, options);
  const { queue, drainTimeoutMs } = asked.settings;
  checkLease(world.env);
  for (const warning of asked.warnings) world.warn(warning);
  const command = await agentCommand({ agent: options.agent, words: [], env: world.env, cwd: world.cwd });
  const worktrees = options.worktrees === true;
  // otherwise each worker would report a misspelled agent in its log
  const noAgent = whyNoAgent(command, world);
  if (noAgent !== null) throw new UserError(noAgent);
  await checkWorktrees({ worktrees, removeWorktrees: options.removeWorktrees === true }, thisWorld());
  const hint = permissionHint({ ...world, words, worktrees, agent: command.agent });
  if (hint !== null) world.warn(hint);
  const unchecked = await whyUnchecked(world);
  if (unchecked !== null) world.warn(unchecked);
  await using store = await openTaskStore(options.store, world, null);
  const report = reportsIn(world, options);
  // it can be cut off while it starts, too
  const signal = new AbortController().signal;
  const wait = { clock: world.clock, signal, patienceMs: null, jitter: Math.random() };
  const waiting = awaitingStore(noteOutages(store, world.clock, report), wait);
  const about = available(await waiting.about({}));
  const gone = whyMoved(about, 'fleet up');
  if (gone !== null) throw gone;
  const lease = leaseHere(world.env, about);
  const fleet = await fleetNameHere(options, {
    store: waiting,
    location: about.location,
    stopgateHome: world.stopgateHome,
  });
  const request = { ...asked, settings: { ...asked.settings, name: fleet } };
  if (request.reviewLimit !== undefined)
    available(await waiting.limitReviews({ queue, limit: request.reviewLimit, actor: `fleet ${fleet}` }));
  // no worker is started for tasks that it would not claim
  const limited = reviewLimitedStore(store, world.clock, report);
  using record = await keepRecord(world.stopgateHome, {
    fleet,
    ...thisProcess(),
    store: about.location,
    startedAt: about.now,
  });
  const { noteShortage } = record;
  const here = { world, store: limited, location: about.location, lease, noteShortage };
  const coordinator = coordinatorHere(request, options, here);
  using _signals = shutDownOnSignals(coordinator, drainTimeoutMs);
  using _logs = keepLogsSmall(world.stopgateHome, fleet);
  if (!options.json) world.print(await greeting(request, waiting, fleetFolder(world.stopgateHome)));
  await using _verifier = verifyHere(request, { store, report });
  await using _chores = choresHere(request, { store, report });
  const { left } = await coordinator.run();
  return exitOf(left);
}

/** What is done beside the coordinator, as lines among its events; where those are JSON, on stderr. */
const reportsIn =
  ({ clock, print, warn }: TaskWorld, { json }: FleetUpOptions) =>
  (sentence: string) =>
    json ? warn(sentence) : print(timedLine(clock, sentence));

/** 69: nothing runs, but the store could not be told. */
function exitOf([first, ...others]: readonly string[]): number {
  if (first === undefined) return 0;
  return first === STORE_AWAY && others.length === 0 ? UNAVAILABLE_EXIT : 1;
}

/** Workers verify too; but they may all have left when the last task is completed, or be killed while they verify. */
const VERIFY_EVERY_MS = 15_000;

const verifyHere = ({ settings }: FleetRequest, { store, report }: Beside) =>
  beside(async (world, signal) => {
    const { name, queue } = settings;
    const verifier = openVerifier({
      ...{ store, world, name: `fleet ${name}`, queue, signal, report },
      askJudge: async (question) => (await import('../../wiring/judgeModel.ts')).judgeModel(world)(question),
    });
    // its workers come first
    await world.clock.sleep(VERIFY_EVERY_MS, signal);
    await verifier.watch(VERIFY_EVERY_MS, signal);
  });

/** Its workers do them too, but there may be none: a recurring task may be the reason to start one. */
const choresHere = ({ settings }: FleetRequest, { store, report }: Beside) =>
  beside((world, signal) => watchChores({ store, world, name: `fleet ${settings.name}`, report, signal }));

interface Beside {
  readonly store: Store;
  readonly report: (sentence: string) => void;
}

/** Goes on beside the coordinator until the fleet ends. */
function beside(run: (world: World, over: AbortSignal) => Promise<void>): AsyncDisposable {
  const over = new AbortController();
  const world = thisWorld();
  const running = run(world, over.signal);
  return {
    [Symbol.asyncDispose]: async () => {
      over.abort('the fleet ends');
      await running;
      await world.processes.endAll();
    },
  };
}

interface FleetHere {
  readonly world: TaskWorld;
  readonly store: Store;
  /** Of the store, without a password. */
  readonly location: string;
  readonly lease: LeaseTimes;
  readonly noteShortage?: KeptRecord['noteShortage'];
}

/** A coordinator that prints its events. */
export function coordinatorHere(
  { settings, workerArgs, slots }: FleetRequest,
  { json, ignoreLoad, store: flag }: FleetUpOptions,
  { world, store, location: storeLocation, lease, noteShortage }: FleetHere,
): Coordinator {
  const storePlace = placeText(chooseStorePlace({ flag, ...world }));
  const emitter = fleetEmitter(world.print, { clock: world.clock, json: json === true });
  const place = { store, storePlace, storeLocation, fleet: settings.name, workerArgs, slots };
  const here = { ...world, ...place, ignoresLoad: ignoreLoad === true, noteShortage, ...emitter };
  return new Coordinator({ ...settings, lease }, coordinatorWorld(here));
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
