/**
 * The workers of one machine in one process: the loop, the outbox and the fence of `worker run`, around an agent that is a small shell
 * script. What they send, keep and are answered goes to a file immediately, so that it outlives the process.
 */
import { openSync, writeSync } from 'node:fs';
import { uptime } from 'node:os';
import { leaseTimes } from '../../../src/fleet/decisions/leaseTimes.ts';
import { awaitOpen } from '../../../src/fleet/worker/awaitAnswer.ts';
import { noteOutages } from '../../../src/fleet/worker/noteOutages.ts';
import { type AgentEnd, type FirstTask, runWorker } from '../../../src/fleet/worker/runWorker.ts';
import { keptWork } from '../../../src/launch/attempt/keptWork.ts';
import { openStore } from '../../../src/store/openStore.ts';
import { endedRecords, removeEnded, writeEnded } from '../../../src/store/outbox/endedFile.ts';
import { keepingStore } from '../../../src/store/outbox/keepingStore.ts';
import { type Outbox, openOutbox } from '../../../src/store/outbox/outbox.ts';
import { type KeptSettlement, SETTLING, type SettlingOperation } from '../../../src/store/outbox/settlement.ts';
import { storeLocation } from '../../../src/store/storeLocation.ts';
import { parseStorePlace } from '../../../src/store/storePlace.ts';
import type { Lease, Store } from '../../../src/store/types.ts';
import { systemClock as clock } from '../../../src/system/clock.ts';
import { newClaimKey } from '../../../src/system/ids.ts';
import { signalGroup } from '../../../src/system/processGroup.ts';
import { isProcessGone, isSameProcess, thisProcess } from '../../../src/system/processLife.ts';
import { spawnProcesses } from '../../../src/system/spawnProcesses.ts';
import type { LabOrders } from './labOrders.ts';

const orders = JSON.parse(process.argv[2] ?? '{}') as LabOrders;
const { machine } = orders;
const journal = openSync(orders.journal, 'a');
const note = (entry: object) => void writeSync(journal, `${JSON.stringify({ ...entry, at: uptime() * 1000 })}\n`);
const report = (sentence: string) => process.stderr.write(`${uptime().toFixed(2)} ${sentence}\n`);

const drain = new AbortController();
process.on('SIGTERM', () => drain.abort('SIGTERM'));

const processes = spawnProcesses({ env: process.env, helperScript: orders.spawnHelper });
const place = parseStorePlace(orders.url);
if (place.type === 'unavailable') throw new Error(place.reason);
const location = storeLocation(place, process.env);
const now = () => Date.now();

const claimOf = ({ taskId, epoch, attemptId }: Lease) => ({ machine, taskId, epoch, attemptId });

function settlementOf({ operation, request }: Pick<KeptSettlement, 'operation' | 'request'>) {
  const { result } = request as { result?: string };
  return { operation, ...claimOf(request.lease), ...(result !== undefined && { result }) };
}

/** A store whose settlements and their answers are written down. */
function noted(store: Store): Store {
  const settle = (operation: SettlingOperation) => async (request: KeptSettlement['request']) => {
    const settlement = settlementOf({ operation, request } as KeptSettlement);
    note({ op: 'sent', ...settlement });
    const outcome = await store[operation](request as never);
    const late = outcome.type === 'accepted' ? outcome.late : undefined;
    if (outcome.type !== 'unavailable') note({ op: 'answered', ...settlement, answer: outcome.type, late });
    return outcome;
  };
  return { ...store, ...Object.fromEntries(SETTLING.map((operation) => [operation, settle(operation)])) };
}

/** An outbox that writes down what is on the disk. */
function notedOutbox(outbox: Outbox): Outbox {
  return {
    ...outbox,
    keep: async (settlement) => {
      const kept = await outbox.keep(settlement);
      note({ op: 'kept', ...settlementOf(kept) });
      return kept;
    },
    refuse: async (settlement, why) => {
      await outbox.refuse(settlement, why);
      note({ op: 'putAside', ...settlementOf(settlement), why });
    },
  };
}

const INTERRUPT_MS = 3_000;

/** As `startAgent` of the product does: a group of its own, SIGINT, then the end of the group. */
function startAgent({ lease, title }: FirstTask) {
  const kill = new AbortController();
  const running = processes.start({
    file: 'bash',
    args: [orders.agent, title],
    cwd: '/',
    env: {
      ...orders.env,
      STOPGATE_TASK_ID: lease.taskId,
      STOPGATE_TASK_EPOCH: `${lease.epoch}`,
      STOPGATE_ATTEMPT_ID: lease.attemptId,
    },
    input: '',
    maxOutputBytes: 4_096,
    signal: kill.signal,
  });
  let isStopped = false;
  const ended = running.ended.then(async (end): Promise<AgentEnd> => {
    if (end.type !== 'exited' || end.code !== 0) return { ending: 'crashed', why: `it ended: ${JSON.stringify(end)}` };
    const hasFinished = !isStopped;
    if (hasFinished) {
      const record = { version: 1, store: location, process: thisProcess(), lease, folder: '/' } as const;
      await writeEnded(orders.stopgateHome, { ...record, tail: { text: resultOf(lease), errors: '' } });
      note({ op: 'noted', ...claimOf(lease) });
    }
    return { ending: 'clean', why: 'it ended by itself', hasFinished };
  });
  const end = async () => {
    isStopped ||= running.pid === undefined || isSameProcess(running.pid, null);
    if (isStopped) note({ op: 'agentEnded', ...claimOf(lease) });
    if (running.pid !== undefined) signalGroup(running.pid, 'SIGINT');
    const gone = new AbortController();
    void ended.then(() => gone.abort());
    await clock.sleep(INTERRUPT_MS, gone.signal);
    kill.abort('the worker ends it');
    await ended;
  };
  return { ended, end };
}

const resultOf = ({ attemptId }: Lease) => `${attemptId} on ${machine}`;

/** As `finishEnded` of the product does, without folders and checks. */
async function finishEnded(store: Store): Promise<void> {
  for (const { lease, tail, process: worker } of await endedRecords(orders.stopgateHome)) {
    if (!isProcessGone(worker)) continue;
    await store.complete({ lease, result: tail.text });
    removeEnded(orders.stopgateHome, lease.attemptId);
  }
}

async function settleLeft(store: Store, lease: Lease, { ending, why, hasFinished }: AgentEnd): Promise<boolean> {
  const complete = () => store.complete({ lease, result: resultOf(lease) });
  const ways: Readonly<Record<string, () => Promise<{ readonly type: string }>>> = {
    clean: complete,
    drained: hasFinished ? complete : () => store.release({ lease, reason: 'drained' }),
    // no agent has begun
    launchFailed: () => store.release({ lease, reason: 'unserved' }),
  };
  const outcome = await (ways[ending]?.() ?? store.fail({ lease, error: why }));
  return outcome.type === 'accepted';
}

async function work(workerId: string, opened: Store, outbox: Outbox): Promise<void> {
  const own = noteOutages(noted(opened), clock, (sentence) => report(`${workerId}: ${sentence}`));
  const store = keepingStore(own, { outbox, location, now });
  const end = await runWorker({
    store,
    clock,
    workerId,
    facts: { kind: 'persistent', queue: orders.queue, idleLimitMs: null, ...thisProcess() },
    lease: leaseTimes(orders.leaseMs),
    fencesItself: () => orders.ignoresFence !== true,
    isGone: (worker) => isProcessGone(worker),
    keepLost: async () => {},
    whyNoAgent: () => null,
    startAgent: async (task) => startAgent(task),
    settleLeft: (lease, agentEnd) => settleLeft(store, lease, agentEnd),
    leaveFolder: async ({ attemptId }) => removeEnded(orders.stopgateHome, attemptId),
    noteRest: () => {},
    activity: () => null,
    treeState: async () => null,
    newClaimKey,
    drain: drain.signal,
    drainMs: 20_000,
    kept: keptWork({ store: own, outbox, location, now, report }),
    report: (sentence) => report(`${workerId}: ${sentence}`),
  });
  report(`${workerId}: ${end.type}: ${end.reason}`);
}

const store = await awaitOpen(() => openStore(place, { connections: 3 }), {
  waitsFor: ['busy', 'unreachable'],
  onAway: ({ reason }) => report(reason),
  wait: { clock, signal: drain.signal, jitter: Math.random(), patienceMs: null },
});
if ('type' in store) throw new Error(store.reason);
const outbox = notedOutbox(openOutbox(orders.stopgateHome, report));
report(`${orders.slots} workers, pid ${process.pid}`);
const before = { outbox, location, now };
await finishEnded(keepingStore(noted(store), before));
await Promise.all(Array.from({ length: orders.slots }, (_, n) => work(`${machine}-l${n + 1}`, store, outbox)));
await store.close();
await processes.endAll();
