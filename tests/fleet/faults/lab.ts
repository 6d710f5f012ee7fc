import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { uptime } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '../../../src/store/openStore.ts';
import type { NewTask, Store } from '../../../src/store/types.ts';
import { available } from '../../../src/store/unavailable.ts';
import { bundle } from '../../store/support/bundle.ts';
import { persist } from '../../store/support/faultWatch.ts';
import { clockShim, whyNoShim } from '../../support/clockShim.ts';
import type { Machine, Machines } from '../../support/machines/machines.ts';
import type { Chance } from '../../support/random.ts';
import type { History, HistoryEntry } from './history.ts';
import { git, journalOf, type LabFolder, type LabHost, type LabPlan, labHost, makeRemote } from './labHost.ts';
import { storeHistory } from './storeHistory.ts';

/** The machines of a run with their store, what is done to them, and what they did. */
export interface Lab extends AsyncDisposable {
  readonly machines: Machines;
  readonly store: Store;
  readonly hosts: LabHost[];
  note(entry: Unstamped): void;
  /** A new machine, running; `disk`: that of one that was killed. */
  addHost(name: string, hostname: string, disk?: string): Promise<LabHost>;
  addTasks(tasks: readonly NewTask[]): Promise<void>;
  /** Of one host; null where no clock can be set. */
  setClock: ((host: LabHost, byMs: number) => void) | null;
  history(deliverMs: number): Promise<History>;
  log(): string;
}

type Unstamped = HistoryEntry extends infer Entry ? (Entry extends unknown ? Omit<Entry, 'at'> : never) : never;

const GIT_PORT = 9418;

export async function openLab(machines: Machines, folder: string, plan: LabPlan): Promise<Lab> {
  const script = await bundle(path.join(import.meta.dirname, 'labWorkers.ts'), folder);
  execFileSync('mkfifo', [path.join(folder, 'pause')]);
  makeRemote(folder);
  const served = await serveRemote(machines, folder);
  const lab: LabFolder = { path: folder, script, remote: `git://${machines.serverAddress}:${served}/remote.git` };
  const opened = await openStore(machines.ownUrl, { connections: 2 });
  if ('type' in opened) throw new Error(opened.reason);
  const store = opened;
  const entries: HistoryEntry[] = [];
  const dependencies = new Map<string, readonly string[]>();
  const hosts: LabHost[] = [];
  const machineOf = new Map<string, string>();
  const shims = new Map<string, ReturnType<typeof clockShim>>();
  const names: string[] = [];
  const note = (entry: Unstamped) => void entries.push({ ...entry, at: uptime() * 1000 } as HistoryEntry);
  return {
    machines,
    store,
    hosts,
    note,
    addHost: async (name, hostname, disk = name) => {
      const machine: Machine = await machines.add(name, hostname);
      names.push(name);
      if (whyNoShim === null) shims.set(name, clockShimIn(folder, name));
      const host = labHost(machine, { plan, folder: lab, disk, env: shims.get(name)?.env ?? {} });
      for (const worker of host.labWorkers) machineOf.set(worker, name);
      for (let n = 1; n <= plan.realWorkers; n++) machineOf.set(`${name}-w${n}`, name);
      hosts.push(host);
      host.start();
      note({ op: 'machineStarted', machine: name, disk });
      return host;
    },
    addTasks: async (tasks) => {
      const added = available(await persist(() => store.addTasks({ tasks })));
      if (added.type !== 'added') throw new Error(JSON.stringify(added));
      const ids = added.tasks.map(({ id }) => id);
      tasks.forEach(({ dependsOn = [] }, n) => {
        const needed = dependsOn.flatMap((ref) =>
          typeof ref === 'object' && 'position' in ref ? (ids[ref.position] ?? []) : [],
        );
        dependencies.set(ids[n] ?? '', needed);
      });
    },
    setClock: whyNoShim === null ? ({ machine }, byMs) => shims.get(machine.name)?.setTo(byMs) : null,
    history: async (deliverMs) => {
      // both are clocks of this machine
      const { tasks, ...others } = await storeHistory(store, Date.now() - uptime() * 1000);
      const refused = await Promise.all(hosts.map(refusedOn));
      return {
        entries: [...entries, ...names.flatMap((name) => journal(journalOf(folder, name))), ...refused.flat()],
        ...others,
        tasks: tasks.map((task) => ({ ...task, dependsOn: dependencies.get(task.id) ?? [] })),
        machines: machineOf,
        refs: refsOf(path.join(folder, 'remote.git')),
        leaseMs: plan.leaseMs,
        deliverMs,
      };
    },
    log: () =>
      readdirSync(folder)
        .filter((name) => name.endsWith('.log'))
        .map((name) => `== ${name}\n${readFileSync(path.join(folder, name), 'utf8').slice(-3_000)}`)
        .join('\n'),
    [Symbol.asyncDispose]: () => store.close(),
  };
}

/** The coordinator of a machine delivers what the other process kept too, and writes no journal. */
async function refusedOn({ machine, refused }: LabHost): Promise<HistoryEntry[]> {
  const at = uptime() * 1000;
  return (await refused()).map(({ operation, request: { lease } }) => {
    const { taskId, epoch, attemptId } = lease;
    return { op: 'putAside', at, machine: machine.name, operation, taskId, epoch, attemptId };
  });
}

function clockShimIn(folder: string, name: string) {
  const own = path.join(folder, `clock-${name}`);
  execFileSync('mkdir', ['-p', own]);
  return clockShim(own);
}

/** On the server's machine; resolves to its port when it accepts connections there. */
async function serveRemote(machines: Machines, folder: string): Promise<number> {
  const port = machines.kind === 'namespaces' ? GIT_PORT : 20_000 + (process.pid % 20_000);
  const words = ['git', 'daemon', '--reuseaddr', `--listen=${machines.serverAddress}`, `--port=${port}`];
  const options = ['--export-all', '--enable=receive-pack', `--base-path=${folder}`, folder];
  const env = { PATH: process.env.PATH ?? '', HOME: folder };
  machines.serve([...words, ...options], { cwd: folder, env, log: path.join(folder, 'git.log') });
  // in another network nothing can be asked from here; agents push again and again
  while (machines.kind === 'proxies' && !(await accepts(port))) await sleep(20);
  return port;
}

const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });

function journal(file: string): HistoryEntry[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  // one that was killed while it wrote
  return lines.flatMap((line) => (line.endsWith('}') ? [JSON.parse(line) as HistoryEntry] : []));
}

function refsOf(repository: string): ReadonlyMap<string, string> {
  const lines = git(repository, 'for-each-ref', '--format=%(refname:short) %(objectname)', 'refs/heads').split('\n');
  return new Map(lines.filter(Boolean).map((line) => line.split(' ') as [string, string]));
}

/** Most are short; some are as long as a cut, some longer than a lease. */
export function newTasks(count: number, queue: string, luck: Chance, longMs: number): NewTask[] {
  return Array.from({ length: count }, (_, n): NewTask => {
    const kind = luck.upTo(99);
    const ms = kind < 3 ? longMs : kind < 10 ? longMs / 3 : luck.upTo(6) * 50;
    const dependsOn = n > 5 && luck.maybe(0.1) ? [{ position: luck.upTo(n - 1) }] : [];
    const limits = { maxFailures: 100, maxReclaims: 100, maxReleases: 100, backoffMs: 100 };
    return { title: `work ${Math.round(ms)}`, queue, dependsOn, verify: '', ...limits };
  });
}
