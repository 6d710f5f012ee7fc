import { askWorkerStop, type WorkerStopAnswer } from '../../fleet/worker/askWorkerStop.ts';
import type { Payload } from '../../hosts/callers.ts';
import type { Store } from '../../store/types.ts';
import { newClaimKey } from '../../system/ids.ts';
import { clearActivity, hasUsedTool } from '../activityFile.ts';
import type { HookAnswer } from '../answers.ts';
import type { StopWorld } from '../ask.ts';
import type { StopSituation } from '../exemptions.ts';
import { sessionIdOf } from '../situation.ts';
import { openGateStore } from './openGateStore.ts';
import type { WorkerIdentity } from './workerIdentity.ts';

/** Set for the agents we start: their hosts' own cap on blocks is off. */
const BLOCK_CAP = 'CLAUDE_CODE_STOP_HOOK_BLOCK_CAP';
const HELD_BLOCKS = 3;
const HOSTS_OWN_CAP = 8;

/** A worker's stop: a task if there is one, else the wait for one. Any fault of the store lets it go. */
export async function askWorker(
  payload: Payload,
  {
    situation,
    identity,
    world,
  }: { readonly situation: StopSituation; readonly identity: WorkerIdentity; readonly world: StopWorld },
): Promise<HookAnswer> {
  const store = await openGateStore(world);
  if ('type' in store) return { type: 'nothing', notes: [`Stopgate: ${store.reason} The worker may stop.`] };
  // a hook ends with its process, which closes nothing: a last close would write the log back, at the cost of syncs
  const close = world.endsWithProcess ? async () => {} : () => store.close();
  if (!(await isItsSession(store, payload, identity))) {
    await close();
    return { type: 'nothing' };
  }
  const answer = await askWorkerStop({
    store,
    workerId: identity.workerId,
    incarnation: identity.incarnation,
    oneTask: identity.oneTask,
    situation,
    usedTool: hasUsedTool(identity.activityFile),
    answerInMs: Math.max(0, world.deadlineAt - world.clock.now()),
    limits: { heldBlocks: HELD_BLOCKS, hostBlocks: world.env[BLOCK_CAP] === '0' ? null : HOSTS_OWN_CAP },
    clock: world.clock,
    newClaimKey,
    signal: world.signal,
  });
  return spoken(answer, identity, close);
}

/**
 * A worker is one session. An agent that its agent starts inherits the environment, and must neither wait nor take
 * tasks in its name: the first session to come has the name, every other one is a stranger.
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
  if (worker.sessionId === null) await store.updateWorker({ workerId, incarnation, sessionId });
  return worker.sessionId === null || worker.sessionId === sessionId;
}

async function spoken(
  answer: WorkerStopAnswer,
  { activityFile }: WorkerIdentity,
  close: () => Promise<void>,
): Promise<HookAnswer> {
  if (answer.type === 'approve') {
    await close();
    return { type: 'nothing', notes: [`Stopgate: ${answer.reason}`] };
  }
  return {
    type: 'block',
    reason: answer.reason,
    delivered: async () => {
      // what is there again at the next stop was put there by a tool
      clearActivity(activityFile);
      await answer.delivered?.();
      await close();
    },
  };
}

/** Claims the name for this session, before an agent that it starts can. */
export async function bindSession(
  payload: Payload,
  identity: WorkerIdentity,
  world: Pick<StopWorld, 'env' | 'stopgateHome'>,
): Promise<void> {
  const store = await openGateStore(world);
  if ('type' in store) return;
  await isItsSession(store, payload, identity);
  await store.close();
}
