/**
 * One process of the fault test: claims, works and settles as a real worker does, while replies get lost, its store goes away and
 * it is stopped and killed from outside. What it was told goes to a file at once, so that it outlives the process.
 */
import { openSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '../../src/store/openStore.ts';
import type { ClaimOutcome, Lease, Store, Unavailable } from '../../src/store/types.ts';
import { chance } from '../support/random.ts';
import type { LedgerEntry, WorkerOrders } from './support/faultLedger.ts';

const orders = JSON.parse(process.argv[2] ?? '{}') as WorkerOrders;
const { slot, faults } = orders;
const luck = chance(orders.seed);
const ledger = openSync(orders.ledger, 'a');
let finishing = false;
process.on('message', () => {
  finishing = true;
});
// nobody to work for, nobody to collect us
process.on('disconnect', () => process.exit());

const note = (entry: LedgerEntry) => void writeSync(ledger, `${JSON.stringify(entry)}\n`);

async function open(): Promise<Store> {
  for (;;) {
    const { spec: place, schema } = orders;
    const opened = await openStore(place, { connections: 2, ...(schema && { schema }) });
    if (!('type' in opened)) return opened;
    await away(opened);
  }
}

async function away({ cause, reason }: Unavailable): Promise<void> {
  if (cause === 'unusable' || cause === 'moved') throw new Error(reason);
  note({ event: 'unavailable', cause });
  await sleep(20 + luck.upTo(30));
}

let store = await open();

/** Asks until there is an answer: the request stays the same, so that asking again must do nothing again. */
async function ask<Outcome extends { readonly type: string }>(
  request: () => Promise<Outcome | Unavailable>,
): Promise<Exclude<Outcome, Unavailable>> {
  if (luck.maybe(faults.dieAsking)) await dieWhile(request);
  if (luck.maybe(faults.loseReply)) {
    note({ event: 'replyLost' });
    // as after a time-out that was too short: the first request may still be under way
    const first = request();
    if (luck.maybe(0.5)) await first;
  }
  for (;;) {
    const outcome = await request();
    if (outcome.type !== 'unavailable') return outcome as Exclude<Outcome, Unavailable>;
    await away(outcome as Unavailable);
  }
}

/** It was asked, it may have been done, and nobody is there any more to hear of it. */
async function dieWhile(request: () => Promise<unknown>): Promise<never> {
  note({ event: 'died' });
  void request();
  await sleep(luck.upTo(3));
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => {});
}

async function register(): Promise<number> {
  const registered = await ask(() => store.registerWorker({ workerId: slot, pid: process.pid }));
  if (registered.type === 'registered') return registered.incarnation;
  // another process has the slot and works
  note({ event: 'gaveWay' });
  process.exit(0);
}

let incarnation = await register();
let claims = 0;

function newClaim() {
  const claimKey = `${slot}.${incarnation}.${process.pid}.${++claims}`;
  note({ event: 'claim', key: claimKey });
  return { claimKey, offerMs: luck.maybe(0.15) ? 400 : undefined };
}

async function next(): Promise<ClaimOutcome> {
  const wanted = newClaim();
  return ask(() => store.claim({ workerId: slot, incarnation, ...wanted }));
}

/** What a completion brought along. */
let brought: ClaimOutcome | undefined;

function takeBrought(): ClaimOutcome | undefined {
  const taken = brought;
  brought = undefined;
  return taken;
}

async function work(lease: Lease, offered: boolean): Promise<void> {
  note({ event: 'claimed', key: lease.attemptId, taskId: lease.taskId, epoch: lease.epoch });
  if (offered) await ask(() => store.acknowledge({ lease }));
  for (let slices = luck.upTo(3); slices > 0; slices--) {
    await sleep(luck.upTo(orders.sliceMs));
    if (luck.maybe(0.3)) await beat(lease);
  }
  const choice = luck.upTo(99);
  if (choice < 2) return settle(() => store.fail({ lease, error: 'by chance', retryAfterMs: luck.upTo(20) }));
  if (choice < 5) return settle(() => store.release({ lease, reason: 'released', delayMs: luck.upTo(20) }));
  await complete(lease);
}

const settle = async (request: () => ReturnType<Store['fail']>) => void (await ask(request));

function beat(lease?: Lease) {
  return ask(() => store.heartbeat({ workerId: slot, incarnation, ...(lease && { lease, checkpoint: 'on it' }) }));
}

/** Goes on whatever it was told meanwhile, as a worker does that has not heard of it: the store must refuse what is late. */
async function complete(lease: Lease): Promise<void> {
  const { attemptId: key, taskId, epoch } = lease;
  const result = `${key} says ${luck.upTo(1_000_000)}`;
  note({ event: 'complete', key, taskId, epoch, result });
  const wanted = luck.maybe(0.5) && !finishing ? newClaim() : undefined;
  const reply = await ask(() => store.complete({ lease, result, next: wanted }));
  if (reply.type === 'accepted') brought = reply.next;
  const late = reply.type === 'accepted' && reply.late;
  note({ event: 'reply', key, taskId, epoch, type: reply.type, late, result });
  if (!luck.maybe(faults.duplicate)) return;
  // a reply that is handled twice settles twice; what is said the second time must not count
  const again = await ask(() => store.complete({ lease, result: 'DUPLICATE' }));
  note({ event: 'duplicate', key, first: reply, again });
}

async function handle(outcome: ClaimOutcome): Promise<void> {
  if (outcome.type === 'claimed') return work(outcome.lease, outcome.attempt.state === 'offered');
  if (outcome.type === 'empty') {
    await store.waitForWork({ timeoutMs: 150 });
    await beat();
    return;
  }
  if (outcome.type !== 'refused') return;
  // a claim that was taken for lost was carried out after all
  if (outcome.reason === 'holding') return work(outcome.lease, true);
  if (outcome.reason === 'staleIncarnation') {
    note({ event: 'gaveWay' });
    process.exit(0);
  }
  if (outcome.reason === 'lost') incarnation = await register();
}

// what was brought along is finished, too
while (!finishing || brought?.type === 'claimed') {
  await handle(takeBrought() ?? (await next()));
  if (!luck.maybe(faults.reopen)) continue;
  note({ event: 'reopened' });
  await store.close();
  store = await open();
}
const stopped = await ask(() => store.stopWorker({ workerId: slot, incarnation, exitCode: 0, exitReason: 'finished' }));
await store.close();
process.exit(stopped.type === 'holding' ? 4 : 0);
