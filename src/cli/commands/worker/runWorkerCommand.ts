import { leaseOfStore } from '../../../fleet/decisions/leaseTimes.ts';
import { awaitAnswer, awaitOpen } from '../../../fleet/worker/awaitAnswer.ts';
import { followMove } from '../../../fleet/worker/followMove.ts';
import { noteOutages } from '../../../fleet/worker/noteOutages.ts';
import { reviewLimitedStore } from '../../../fleet/worker/reviewLimitedStore.ts';
import { runWorker, type WorkerEnd } from '../../../fleet/worker/runWorker.ts';
import { agentCommand } from '../../../hosts/agentCommand.ts';
import { permissionHint } from '../../../hosts/permissionHint.ts';
import { whyNoAgent } from '../../../hosts/whyNoAgent.ts';
import { finishEnded, watchEnded } from '../../../launch/attempt/finishEnded.ts';
import { keptWork } from '../../../launch/attempt/keptWork.ts';
import { keepLost } from '../../../launch/attempt/taskFolders.ts';
import { tasksOfAgent } from '../../../launch/attempt/tasksOfAgent.ts';
import type { WorkerRequest } from '../../../launch/attempt/workerRequest.ts';
import { openVerifier, type Verifier } from '../../../launch/verify/verifier.ts';
import { whyUnchecked } from '../../../launch/verify/whyUnchecked.ts';
import { openStore } from '../../../store/openStore.ts';
import { keepingStore } from '../../../store/outbox/keepingStore.ts';
import { openOutbox } from '../../../store/outbox/outbox.ts';
import { storeLocation } from '../../../store/storeLocation.ts';
import { placeText } from '../../../store/storePlace.ts';
import { DEFAULT_QUEUE } from '../../../store/taskDefaults.ts';
import type { Store } from '../../../store/types.ts';
import { wallNow } from '../../../system/clock.ts';
import { newClaimKey } from '../../../system/ids.ts';
import { listenForInterrupts } from '../../../system/interrupts.ts';
import { isProcessGone, thisProcess } from '../../../system/processLife.ts';
import { ownName } from '../../../system/thisHost.ts';
import { UserError } from '../../../system/userError.ts';
import { thisWorld } from '../../../system/world.ts';
import { drained, processWriter } from '../../../system/writer.ts';
import { checkFolder, UNAVAILABLE_EXIT } from '../../wiring/store/openTaskStore.ts';
import { chooseStorePlace } from '../../wiring/store/storePlace.ts';
import { noteRest } from '../fleet/fleetFolder.ts';
import { keepOutput } from './keepOutput.ts';
import { checkLease, checkWorktrees, type Work, type WorkerOptions, whyMoved, workerRequest } from './workerRequest.ts';

/** While it waits or its agent works; what its own agent left is verified before the next task. */
const LOOK_FOR_COMPLETED_MS = 5_000;

const watchAlone = (verifier: Verifier, until: AbortSignal) => verifier.watch(LOOK_FOR_COMPLETED_MS, until);

/** `stopgate worker run`: one supervised worker, until it may stop. */
export async function runWorkerCommand(words: readonly string[], options: WorkerOptions): Promise<number> {
  const request = workerRequest(words, options);
  const world = thisWorld();
  checkLease(world.env);
  const writer = processWriter(() => {});
  using interrupts = listenForInterrupts(
    () => world.processes.killAll(),
    () => writer.err('stopgate: draining: the agent may finish; press Ctrl-C again to end it now.\n'),
  );
  // a coordinator prints the hints for all of its workers
  const command = await agentCommand({ agent: request.agent, words: [], env: world.env, cwd: world.cwd });
  const hint = isOnItsOwn(request) ? permissionHint({ ...request, ...world, agent: command.agent }) : null;
  const unchecked = isOnItsOwn(request) ? await whyUnchecked(world) : null;
  const hints = [hint, unchecked].filter((one) => one !== null);
  for (const warning of [...request.warnings, ...hints]) writer.err(`stopgate: ${warning}\n`);
  const place = chooseStorePlace({ flag: request.store, ...world });
  checkFolder(place, world.stopgateHome);
  const noAgent = whyNoAgent(command, world);
  if (noAgent !== null) throw new UserError(noAgent);
  await checkWorktrees(request, world);
  const onNotice = (sentence: string) => writer.err(`stopgate: ${sentence}\n`);
  // it keeps the file open for long, so it can serve other processes
  const patienceMs = request.idleLimitMs;
  const wait = { clock: world.clock, signal: interrupts.signal, jitter: Math.random(), patienceMs };
  const store = await awaitOpen(() => openStore(place, { serve: true, connections: 1, onNotice }), {
    // a slot of a coordinator, and a worker that never leaves, wait for a store that is away at their start
    waitsFor: !isOnItsOwn(request) || request.idleLimitMs === null ? ['busy', 'unreachable'] : ['busy'],
    onAway: ({ reason }) => onNotice(`the store cannot be reached; waiting for it: ${reason}`),
    wait,
  });
  if ('type' in store) throw new UserError(store.reason, UNAVAILABLE_EXIT);
  const about = await awaitAnswer(() => store.about(), wait);
  if (about.type === 'unavailable') throw await closing(store, new UserError(about.reason, UNAVAILABLE_EXIT));
  const gone = isOnItsOwn(request) ? whyMoved(about, 'worker run') : null;
  if (gone !== null) throw await closing(store, gone);
  const lease = leaseOfStore(world.env, about.leaseMs);
  if (typeof lease === 'string') throw await closing(store, new UserError(lease));
  const worked = { request, world, writer, store, place, drain: interrupts.signal, lease };
  const over = new AbortController();
  const chores = doChores(worked, over.signal);
  const code = await (request.slots === undefined ? work(worked) : workInSlots(worked, request.slots));
  over.abort();
  await chores;
  await store.close();
  await world.processes.endAll();
  await drained();
  return code;
}

async function closing(store: Store, error: UserError): Promise<UserError> {
  await store.close();
  return error;
}

/** Once for all slots; a coordinator does them for the slots that it started. */
async function doChores({ request, world, writer, store }: Work, signal: AbortSignal): Promise<void> {
  if (!isOnItsOwn(request)) return;
  const { watchChores } = await import('../../../launch/prune/watchChores.ts');
  const name = request.slot ?? `${ownName()}-${process.pid}`;
  const report = (sentence: string) => writer.err(`stopgate: ${name}: ${sentence}\n`);
  await watchChores({ store, world, name, report, signal }).catch((error: Error) =>
    report(`recurring tasks and the policy of the store are left to other processes: ${error.message}`),
  );
}

/** No coordinator started it. */
const isOnItsOwn = ({ incarnation, isCoordinated }: WorkerRequest) => incarnation === undefined && !isCoordinated;

async function workInSlots(worked: Work, slots: number): Promise<number> {
  const { runSlots } = await import('./slots/runSlots.ts');
  return runSlots({ ...worked, slots, work, lookEveryMs: LOOK_FOR_COMPLETED_MS });
}

async function work({ request, world, writer, store: opened, place, drain, lease, ...more }: Work): Promise<number> {
  const { isLogged = request.incarnation !== undefined, watchCompleted = watchAlone } = more;
  const workerId = request.slot ?? `${ownName()}-${process.pid}`;
  // the output of one that a coordinator started already is a log
  using kept = isLogged ? null : keepOutput(writer, { ...world, workerId, now: wallNow(world.clock) });
  const shown = kept ?? writer;
  const tell = (sentence: string) => shown.err(`stopgate: ${workerId}: ${sentence}\n`);
  const outbox = openOutbox(world.stopgateHome, tell);
  const location = storeLocation(place, world.env);
  const now = () => wallNow(world.clock);
  const { following, noted, limited } = await storeOfWorker(opened, { request, world, place, workerId, report: tell });
  const store = keepingStore(limited, { outbox, location, now });
  const storePlace = placeText(place);
  const where = { store, storePlace, location, workerId, lease };
  const tasks = await tasksOfAgent({ request, world, writer: shown, ...where, report: tell });
  const verifier = openVerifier({
    store,
    world,
    name: workerId,
    queue: request.queue ?? DEFAULT_QUEUE,
    signal: drain,
    report: tell,
    askJudge: async (question) => (await import('../../wiring/judgeModel.ts')).judgeModel(world)(question),
  });
  const finishing = { store, location, world, report: tell };
  const over = new AbortController();
  const watching = watchCompleted(verifier, over.signal).catch((error: Error) =>
    tell(`completed tasks are no longer looked for: ${error.message}`),
  );
  // a coordinator does it for its workers
  const finishingLeft = isOnItsOwn(request) ? watchEnded(finishing, lease.beatMs, over.signal) : null;
  const end = await runWorker({
    store,
    clock: world.clock,
    workerId,
    incarnation: request.incarnation,
    facts: {
      kind: request.kind,
      queue: request.queue,
      types: request.types ?? null,
      ...thisProcess(),
      accountKey: request.account,
      idleLimitMs: request.idleLimitMs,
    },
    isGone: (worker) => isProcessGone(worker),
    keepLost: (worker) => keepLost(store, worker, world),
    noteRest: (incarnation, rest) => {
      const untilAt = now() + (rest?.untilAt ?? 0) - world.clock.now();
      noteRest(world.stopgateHome, workerId, rest && { incarnation, why: rest.why, untilAt });
    },
    newClaimKey,
    lease,
    drain,
    drainMs: request.drainMs,
    report: tell,
    kept: keptWork({ store: noted, outbox, location, now, report: tell, finish: () => finishEnded(finishing) }),
    // a file belongs to one machine, where processes are checked before their tasks are taken
    fencesItself: following.isShared,
    movedTo: following.movedTo,
    verifyCompleted: verifier.all,
    ...tasks,
  });
  over.abort();
  await Promise.all([watching, finishingLeft]);
  // what was completed last
  if (end.type === 'stopped') await verifier.all();
  await following.close();
  tell(end.reason);
  return EXIT[end.type];
}

interface StoreOfWorker extends Pick<Work, 'request' | 'world' | 'place'> {
  readonly workerId: string;
  readonly report: (sentence: string) => void;
}

/** One that follows its claims, reports outages and keeps to the limit of reviews. */
async function storeOfWorker(opened: Store, { request, world, place, workerId, report }: StoreOfWorker) {
  const open = (to: string) => openStore(to, { connections: 1, onNotice: report });
  const following = followMove(opened, { workerId, isShared: place.type === 'postgres', open, report });
  const noted = noteOutages(following.store, world.clock, report);
  const { queue = DEFAULT_QUEUE, reviewLimit: limit } = request;
  if (limit !== undefined) await noted.limitReviews({ queue, limit, actor: workerId });
  return { following, noted, limited: reviewLimitedStore(noted, world.clock, report) };
}

const EXIT: { readonly [Type in WorkerEnd['type']]: number } = {
  stopped: 0,
  occupied: 1,
  superseded: 1,
  unavailable: UNAVAILABLE_EXIT,
  moved: UNAVAILABLE_EXIT,
  noAgent: UNAVAILABLE_EXIT,
  otherLease: 2,
};
