import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { available } from '../../../src/store/unavailable.ts';
import { persist } from '../../store/support/faultWatch.ts';
import type { Machines } from '../../support/machines/machines.ts';
import { type Chance, chance } from '../../support/random.ts';
import { checkHistory } from './checkHistory.ts';
import { entriesOf, grouped, type History, type Violation } from './history.ts';
import { type Lab, newTasks, openLab } from './lab.ts';
import type { LabHost, LabPlan } from './labHost.ts';
import { repeatedWork } from './workInvariants.ts';

export interface FaultsPlan extends LabPlan {
  readonly seed: number;
  readonly tasks: number;
  /** Of them, those that real workers do, with git. */
  readonly realTasks: number;
  /** Every fault happens once in each round. */
  readonly rounds: number;
  readonly say?: (sentence: string) => void;
}

export interface FaultsReport {
  readonly history: History;
  readonly violations: readonly Violation[];
  readonly figures: Readonly<Record<string, number>>;
  /** The ends of what was running in the end. */
  readonly exits: readonly (number | null)[];
  readonly log: string;
}

/** For a store that is back: reconnecting, the longest pause between two tries, and what is resent. */
const DELIVER_MS = 25_000;

interface Round {
  readonly lab: Lab;
  readonly plan: FaultsPlan;
  readonly luck: Chance;
  readonly number: number;
  readonly say: (sentence: string) => void;
}

/** Three hosts, of which two have one name, work while all of this happens to them. */
export async function runFaults(machines: Machines, folder: string, plan: FaultsPlan): Promise<FaultsReport> {
  const startedAt = performance.now();
  const { say = () => {} } = plan;
  await using lab = await openLab(machines, folder, plan);
  const luck = chance(plan.seed);
  await lab.addHost('one', 'twin');
  await lab.addHost('two', 'twin');
  await lab.addHost('three', 'other');
  for (let number = 1; number <= plan.rounds; number++) await hurt({ lab, plan, luck, number, say });
  await until(async () => (await openTasks(lab)) === 0, `all ${plan.tasks} tasks have ended`, lab, say);
  // a settlement of a task that another attempt has done meanwhile is still delivered, and refused
  await until(
    async () => lab.hosts.every((host) => host.undelivered().length === 0),
    'every outbox is empty',
    lab,
    say,
  );
  const exits = (await Promise.all(lab.hosts.map((host) => host.end()))).flat();
  const history = await lab.history(DELIVER_MS);
  const { machines: workers, refs, ...seen } = history;
  writeFileSync(
    path.join(folder, 'history.json'),
    JSON.stringify({ ...seen, machines: [...workers], refs: [...refs] }),
  );
  const violations = checkHistory(history);
  for (const sentence of describeRepeated(history)) say(sentence);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  return { history, violations, figures: { ...figuresOf(history), seconds }, exits, log: lab.log() };
}

/** One of each kind, on other machines in each round. */
async function hurt({ lab, plan, luck, number, say }: Round): Promise<void> {
  const { leaseMs, tasks, realTasks, rounds } = plan;
  const steps = 5;
  const share = (all: number) => Math.ceil(all / rounds / steps);
  let left = { lab: shareOfRound(tasks - realTasks, rounds, number), real: shareOfRound(realTasks, rounds, number) };
  const feed = async () => {
    const now = { lab: Math.min(left.lab, share(tasks - realTasks)), real: Math.min(left.real, share(realTasks)) };
    left = { lab: left.lab - now.lab, real: left.real - now.real };
    await lab.addTasks([
      ...newTasks(now.lab, 'lab', luck, leaseMs * 1.2),
      ...newTasks(now.real, 'real', luck, leaseMs * 0.4),
    ]);
  };
  const [first, second, third] = rotate(lab.hosts, number) as [LabHost, LabHost, LabHost];

  await feed();
  await until(() => isBusy(lab, first), `${first.machine.name} is busy`, lab, say);
  say(`round ${number}: ${first.machine.name} is cut off for longer than its lease`);
  await change(lab, first, 1);
  await killWorkers(lab, second);
  second.start();
  setClock(lab, third, 3_600_000);
  await sleep(leaseMs + 6_000);
  await change(lab, first, 0);

  await feed();
  say(`round ${number}: the server crashes`);
  await restart(lab, 'crash');
  setClock(lab, third, -3_600_000);
  await change(lab, second, 0.15);
  await killRealWorker(lab, third);
  await sleep(leaseMs / 3);
  await change(lab, second, 0);

  await feed();
  say(`round ${number}: ${third.machine.name} is cut off for less than its lease`);
  await change(lab, third, 1);
  await sleep(leaseMs / 4);
  await change(lab, third, 0);

  await feed();
  say(`round ${number}: the server restarts, and ${third.machine.name} is killed`);
  await restart(lab, 'orderly', 1_000);
  await until(() => isBusy(lab, third), `${third.machine.name} is busy`, lab, say);
  lab.note({ op: 'machineKilled', machine: third.machine.name });
  await third.machine.kill();
  lab.hosts.splice(lab.hosts.indexOf(third), 1);
  const [disk = ''] = third.machine.name.split('.');
  await lab.addHost(`${disk}.${number + 1}`, disk === 'three' ? 'other' : 'twin', disk);
  await feed();
}

const shareOfRound = (all: number, rounds: number, number: number) =>
  Math.floor((all * number) / rounds) - Math.floor((all * (number - 1)) / rounds);

const rotate = <Item>(items: readonly Item[], by: number): Item[] =>
  items.map((_, n) => items[(n + by) % items.length] as Item);

const WAYS = { 0: 'joined', 1: 'cut' } as const;

/** Noted before it gets worse and after it got better, so that a trouble is never shorter in the history than it was. */
async function change(lab: Lab, { machine }: LabHost, share: number): Promise<void> {
  const op = WAYS[share as 0 | 1] ?? 'lossy';
  if (share > 0) lab.note({ op, machine: machine.name });
  await machine.lose(share);
  if (share === 0) lab.note({ op, machine: machine.name });
}

async function restart(lab: Lab, how: 'crash' | 'orderly', downMs = 0): Promise<void> {
  lab.note({ op: 'serverDown' });
  await lab.machines.server.stop(how);
  await sleep(downMs);
  await lab.machines.server.start();
  lab.note({ op: 'serverUp' });
}

function setClock(lab: Lab, host: LabHost, byMs: number): void {
  if (lab.setClock === null) return;
  lab.setClock(host, byMs);
  lab.note({ op: 'clockSet', machine: host.machine.name, byMs });
}

async function killWorkers(lab: Lab, host: LabHost): Promise<void> {
  lab.note({ op: 'workersKilled', machine: host.machine.name, workers: host.labWorkers });
  await host.killWorkers();
}

/** One that the coordinator of this host started. */
async function killRealWorker(lab: Lab, { machine }: LabHost): Promise<void> {
  const { workers } = available(await persist(() => lab.store.workers({ running: true })));
  const found = workers.find(({ id, pid }) => id.startsWith(`${machine.name}-w`) && pid !== null);
  if (found === undefined) return;
  lab.note({ op: 'workersKilled', machine: machine.name, workers: [found.id] });
  machine.killProcess(found.pid ?? 0);
}

async function isBusy(lab: Lab, { machine }: LabHost): Promise<boolean> {
  const { workers } = available(await persist(() => lab.store.workers({ running: true })));
  return workers.some(({ id, taskId }) => id.startsWith(`${machine.name}-l`) && taskId !== null);
}

const OPEN = ['ready', 'delayed', 'blocked', 'held', 'claimed', 'verifying'] as const;

async function openTasks(lab: Lab): Promise<number> {
  const counts = available(await persist(() => lab.store.counts()));
  return OPEN.reduce((sum, status) => sum + counts[status], 0);
}

const PATIENCE_MS = 180_000;

async function until(holds: () => Promise<boolean>, what: string, lab: Lab, say: (sentence: string) => void) {
  const endAt = performance.now() + PATIENCE_MS;
  let before = -1;
  let lastChangeAt = performance.now();
  while (!(await holds())) {
    const open = await openTasks(lab);
    if (open !== before) lastChangeAt = performance.now();
    before = open;
    // as long as tasks end, it only takes long
    if (performance.now() > Math.max(endAt, lastChangeAt + PATIENCE_MS / 3))
      throw new Error(`in vain: ${what}; ${open} open\n${lab.log()}`);
    await sleep(200);
  }
  say(what);
}

function figuresOf(history: History): Record<string, number> {
  const { events, entries } = history;
  const count = (...ops: (typeof entries)[number]['op'][]) => entries.filter(({ op }) => ops.includes(op)).length;
  const eventCount = (kind: string) => events.filter((event) => event.kind === kind).length;
  const sent = grouped(entriesOf(history, 'sent'), ({ attemptId, operation }) => `${attemptId} ${operation}`);
  const repeated = repeatedWork(history);
  const excused = (excuse: string) => repeated.filter((one) => one.excuse === excuse).length;
  return {
    tasks: history.tasks.length,
    attempts: history.attempts.length,
    acknowledged: entriesOf(history, 'answered').filter(({ answer }) => answer === 'accepted').length,
    workersKilled: count('workersKilled'),
    machinesKilled: count('machineKilled'),
    cuts: count('cut'),
    lossyWays: count('lossy'),
    serverRestarts: count('serverDown'),
    clocksSet: count('clockSet'),
    lostAttempts: eventCount('task.lost'),
    fenced: count('agentStopped'),
    superseded: eventCount('task.late'),
    lateAccepted: events.filter(({ kind, data }) => kind === 'task.completed' && data.late === true).length,
    kept: count('kept'),
    deliveredLater: [...sent.values()].filter(({ length }) => length > 1).length,
    putAside: new Set(entriesOf(history, 'putAside').map(({ attemptId }) => attemptId)).size,
    pushed: count('pushed'),
    slowestWriteMs: slowestWrite(history),
    repeatedBehindCut: excused('cutOff'),
    repeatedAfterMachineKill: excused('machineKilled'),
    repeatedAfterWorkerKill: excused('workerKilled'),
    events: events.length,
  };
}

/** From the end of an agent until its worker had that on disk. */
function slowestWrite(history: History): number {
  const finished = new Map(entriesOf(history, 'agentFinished').map(({ attemptId, at }) => [attemptId, at]));
  const waits = entriesOf(history, 'noted').map(({ attemptId, at }) => at - (finished.get(attemptId) ?? at));
  return Math.round(Math.max(0, ...waits));
}

/** Each finished piece of work that was done again, with what happened to it. */
function describeRepeated(history: History): readonly string[] {
  return repeatedWork(history).map(({ finished, takenAt, excuse }) => {
    const { taskId, attemptId, machine, at } = finished;
    const first = (op: 'noted' | 'kept' | 'putAside') => {
      const entry = entriesOf(history, op).find((one) => one.attemptId === attemptId);
      return entry === undefined ? `not ${op}` : `${op} after ${Math.round(entry.at - at)} ms`;
    };
    const words = [first('noted'), first('kept'), `taken after ${Math.round(takenAt - at)} ms`, first('putAside')];
    return `done again (${excuse ?? 'no excuse'}): ${taskId} on ${machine} at ${Math.round(at)}: ${words.join(', ')}`;
  });
}
