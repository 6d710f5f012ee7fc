import { type LeaseTimes, leaseTimes } from '../../fleet/decisions/leaseTimes.ts';
import { askWorkerStop, type HandedTask, type WorkerStopAnswer } from '../../fleet/worker/askWorkerStop.ts';
import { leaseOf } from '../../store/leaseOf.ts';
import { openStore } from '../../store/openStore.ts';
import { deliverKept } from '../../store/outbox/deliverKept.ts';
import { readLease, writeLease } from '../../store/outbox/leaseFile.ts';
import { openOutbox } from '../../store/outbox/outbox.ts';
import { storeLocation } from '../../store/storeLocation.ts';
import { findStorePlace } from '../../store/storePlace.ts';
import type { Lease, Store, Unavailable } from '../../store/types.ts';
import { newClaimKey } from '../../system/ids.ts';
import { clearActivity, hasUsedTool } from '../activity.ts';
import { PASS, type StopAnswer } from '../answer.ts';
import { type Payload, sessionIdOf } from '../payload.ts';
import type { StopWorld } from '../world.ts';
import { areBlocksSpent } from './promptBlocks.ts';
import type { WorkerIdentity } from './workerIdentity.ts';

/** `0` for the agents we start: their host does not cap blocks. */
const BLOCK_CAP = 'CLAUDE_CODE_STOP_HOOK_BLOCK_CAP';
const HELD_BLOCKS = 3;
const HOSTS_OWN_CAP = 8;

/** A worker's stop: hands over a task, or waits for one. With any fault of the store the worker may stop. */
export async function askWorker(payload: Payload, identity: WorkerIdentity, world: StopWorld): Promise<StopAnswer> {
  const store = await openWorkerStore(world);
  if ('type' in store) return { ...PASS, notes: [`Stopgate: ${store.reason} The worker may stop.`] };
  // a hook leaves closing to the exit of its process: the last close would write the log back and sync
  const close = world.endsWithProcess ? async () => {} : () => store.close();
  if (!(await isItsSession(store, payload, identity))) {
    await close();
    return PASS;
  }
  // what its agent settled while the store was away: it does not hold that task any more
  const location = locationOf(world);
  await deliverKept(store, openOutbox(world.stopgateHome), location);
  const { activityFile, ...worker } = identity;
  const answer = await askWorkerStop({
    ...worker,
    store,
    usedTool: hasUsedTool(activityFile),
    answerInMs: Math.max(0, world.deadlineAt - world.clock.now()),
    limits: {
      heldBlocks: HELD_BLOCKS,
      hostBlocks: world.env[BLOCK_CAP] === '0' ? null : HOSTS_OWN_CAP,
      spent: areBlocksSpent(world.env),
    },
    clock: world.clock,
    newClaimKey,
    signal: world.signal,
    lease: leaseOnce(store),
  });
  const noteHanded = async (task: HandedTask) => {
    await noteLease(world, task);
    await noteSession(store, task.lease, payload);
  };
  return stopAnswer(answer, { identity, noteHanded, close });
}

/** Of the store; most stops do not wait, and need none. */
function leaseOnce(store: Store): () => Promise<LeaseTimes> {
  let known: Promise<LeaseTimes> | undefined;
  const ask = async () => {
    const about = await store.about();
    return leaseTimes((about.type === 'about' ? about.leaseMs : null) ?? undefined);
  };
  return () => {
    known ??= ask();
    return known;
  };
}

function locationOf(world: Pick<StopWorld, 'env' | 'stopgateHome'>): string {
  const place = findStorePlace(world);
  return place.type === 'unavailable' ? '' : storeLocation(place, world.env);
}

/** The worker noted its own process with the first task of this agent. */
async function noteLease({ stopgateHome }: StopWorld, { lease, title, body }: HandedTask): Promise<void> {
  const before = await readLease(stopgateHome, lease.workerId);
  // a failed write shows when it is needed: the agent is then refused while the store is away
  if (before !== null) await writeLease(stopgateHome, { ...before, lease, title, body }).catch(() => {});
}

/**
 * A worker is one session: the first one that reports. Agents that its agent starts inherit the environment, and must neither
 * wait nor take tasks for it.
 */
async function isItsSession(
  store: Store,
  payload: Payload,
  { workerId, incarnation }: WorkerIdentity,
): Promise<boolean> {
  const sessionId = sessionIdOf(payload);
  const listed = await store.workers({ workerId });
  if (listed.type !== 'workers') return true;
  const worker = listed.workers.find((one) => one.incarnation === incarnation);
  if (worker === undefined || sessionId === null) return false;
  if (worker.sessionId !== null) return worker.sessionId === sessionId;
  await store.updateWorker({ workerId, incarnation, sessionId });
  const lease = leaseOf(worker);
  if (lease !== null) await noteSession(store, lease, payload);
  return true;
}

/** So that a person finds the conversation of an attempt. */
async function noteSession(store: Store, lease: Lease, payload: Payload): Promise<void> {
  const { transcript_path: transcript } = payload;
  const session = sessionIdOf(payload);
  if (session === null) return;
  const details = { session, ...(typeof transcript === 'string' && { transcript }) };
  await store.heartbeat({ workerId: lease.workerId, incarnation: lease.incarnation, lease, details });
}

interface Answering {
  readonly identity: WorkerIdentity;
  readonly noteHanded: (task: HandedTask) => Promise<void>;
  readonly close: () => Promise<void>;
}

async function stopAnswer(
  answer: WorkerStopAnswer,
  { identity: { activityFile }, noteHanded, close }: Answering,
): Promise<StopAnswer> {
  if (answer.type === 'approve') {
    await close();
    return { ...PASS, notes: [`Stopgate: ${answer.reason}`] };
  }
  return {
    type: 'block',
    reason: answer.reason,
    notes: [],
    delivered: async () => {
      // anything in the file at the next stop comes from a tool
      clearActivity(activityFile);
      await answer.delivered?.();
      if (answer.task !== undefined) await noteHanded(answer.task);
      await close();
    },
  };
}

/** Binds the worker to this session, before an agent that it starts can. */
export async function bindSession(
  payload: Payload,
  identity: WorkerIdentity,
  world: Pick<StopWorld, 'env' | 'stopgateHome'>,
): Promise<void> {
  const store = await openWorkerStore(world);
  if ('type' in store) return;
  await isItsSession(store, payload, identity);
  await store.close();
}

/** Never throws for a bad store: a hook must answer. */
function openWorkerStore(world: Pick<StopWorld, 'env' | 'stopgateHome'>): Promise<Store | Unavailable> {
  const onNotice = (sentence: string) => process.stderr.write(`stopgate: ${sentence}\n`);
  return openStore(findStorePlace(world), { connections: 2, onNotice });
}
