import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Store, Worker } from '../../../src/store/types.ts';
import type { Chance } from '../../support/random.ts';
import type { WorkerFaults, WorkerOrders } from './faultLedger.ts';
import { persist } from './faultWatch.ts';
import { until } from './until.ts';

/** Silence that costs a worker its task; short, so that a stopped process loses it within the test. */
const SILENCE = { staleAfterMs: 800, graceMs: 300 } as const;
const STOPPED_AT_MOST_MS = 2_500;

export interface CrewPlan {
  readonly store: Store;
  readonly spec: string;
  readonly schema?: string | undefined;
  readonly folder: string;
  /** What a worker process runs. */
  readonly script: string;
  readonly slots: number;
  readonly sliceMs: number;
  readonly faults: WorkerFaults;
  readonly luck: Chance;
}

interface Member {
  readonly slot: string;
  readonly child: ChildProcess;
  readonly pid: number;
  stopped: boolean;
  killed: boolean;
}

/** The worker processes, one for each slot, and the reaper who replaces them. */
export interface Crew extends AsyncDisposable {
  readonly problems: string[];
  readonly figures: { kills: number; stops: number; stopsThatCost: number; replacements: number };
  killOne(): void;
  /** SIGSTOP until its lease is lost, and then SIGCONT. */
  stopOne(): void;
  /** Everybody goes on, finishes and exits by itself. */
  finish(withinMs: number): Promise<void>;
}

export function startCrew(plan: CrewPlan): Crew {
  const { store, luck } = plan;
  const members = new Map<string, Member>();
  const running = new Set<Member>();
  const problems: string[] = [];
  const buried = new Set<number>();
  const pending = new Set<Promise<void>>();
  const figures = { kills: 0, stops: 0, stopsThatCost: 0, replacements: 0 };
  let ending = false;
  let started = 0;

  const inBackground = (work: Promise<void>) => {
    const settled: Promise<void> = work
      .catch((error: Error) => void problems.push(error.stack ?? error.message))
      .finally(() => pending.delete(settled));
    pending.add(settled);
  };

  const start = (slot: string) => {
    const child = forkWorker(plan, { slot, number: ++started, seed: luck.upTo(2 ** 31) });
    const member: Member = { slot, child, pid: child.pid ?? 0, stopped: false, killed: false };
    let said = '';
    child.stderr?.on('data', (chunk) => {
      said += chunk;
    });
    running.add(member);
    members.set(slot, member);
    child.once('close', (code, signal) => {
      running.delete(member);
      if (code !== 0 && signal !== 'SIGKILL') problems.push(`${slot} ended with ${code ?? signal}: ${said}`);
      if (!ending) inBackground(replace(member));
    });
  };

  /** Its process is known to be gone, so its task goes back at once; then the slot is somebody else's. */
  const replace = async (member: Member): Promise<void> => {
    const row = await workerRow(store, member.slot);
    if (row?.pid === member.pid) await reap(row, 'exited');
    if (members.get(member.slot) !== member || ending) return;
    // one that was replaced too early may have taken its slot back
    const holder = [...running].find(({ pid }) => pid === row?.pid);
    if (holder) members.set(member.slot, holder);
    else {
      figures.replacements += 1;
      start(member.slot);
    }
  };

  const reap = async ({ id: workerId, incarnation, pid }: Worker, evidence: 'exited' | 'lapsed') => {
    const outcome = await persist(() => store.reap({ workerId, incarnation, evidence, ...SILENCE }));
    if (outcome.type === 'reaped' && pid !== null) buried.add(pid);
  };

  const stop = async (member: Member): Promise<void> => {
    figures.stops += 1;
    member.stopped = true;
    member.child.kill('SIGSTOP');
    // one that was stopped with the lock of the file in its hand stops everybody, so there is an end to it
    const cost = until('it is given up', () => buried.has(member.pid), STOPPED_AT_MOST_MS).then(
      () => true,
      () => false,
    );
    if (await cost) {
      figures.stopsThatCost += 1;
      if (luck.maybe(0.5) && members.get(member.slot) === member && !ending) start(member.slot);
      await sleep(luck.upTo(500));
    }
    member.child.kill('SIGCONT');
    member.stopped = false;
  };

  const sweep = async () => {
    while (!ending) {
      const { workers, now } = await persist(() => store.workers({ running: true }));
      const held = workers.flatMap(({ taskId }) => taskId ?? []);
      if (new Set(held).size !== held.length) problems.push(`I1: two workers hold one task: ${held}`);
      const silent = workers.filter(({ heartbeatAt }) => now - heartbeatAt > SILENCE.staleAfterMs);
      for (const worker of silent) await reap(worker, 'lapsed');
      await sleep(100);
    }
  };

  const goingOn = () =>
    [...members.values()].filter((member) => running.has(member) && !member.stopped && !member.killed);
  for (let n = 0; n < plan.slots; n++) start(`slot-${n}`);
  inBackground(sweep());
  return {
    problems,
    figures,
    killOne: () => {
      const member = luck.pick(goingOn());
      if (!member) return;
      figures.kills += 1;
      member.killed = true;
      member.child.kill('SIGKILL');
    },
    stopOne: () => {
      const member = luck.pick(goingOn());
      if (member) inBackground(stop(member));
    },
    finish: async (withinMs) => {
      await until('no replacement is under way', () => pending.size <= 1, withinMs);
      ending = true;
      await Promise.all(pending);
      // one that ends just now does not read it
      for (const { child } of running) if (child.connected) child.send('finish', () => {});
      await until('all workers have ended', () => running.size === 0, withinMs);
    },
    [Symbol.asyncDispose]: async () => {
      ending = true;
      const closed = [...running].map(({ child }) => once(child, 'close'));
      for (const { child } of running) child.kill('SIGKILL');
      await Promise.all([...closed, ...pending]);
    },
  };
}

function forkWorker(plan: CrewPlan, { slot, number, seed }: { slot: string; number: number; seed: number }) {
  const { spec, schema, folder, sliceMs, faults } = plan;
  const ledger = path.join(folder, `${slot}-${number}.jsonl`);
  const orders: WorkerOrders = { slot, seed, spec, schema, ledger, sliceMs, faults };
  // it starts often
  const env = { ...process.env, NODE_COMPILE_CACHE: path.join(folder, '../compiled') };
  return fork(plan.script, [JSON.stringify(orders)], {
    cwd: folder,
    env,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

async function workerRow(store: Store, workerId: string): Promise<Worker | undefined> {
  return (await persist(() => store.workers({ workerId }))).workers[0];
}
