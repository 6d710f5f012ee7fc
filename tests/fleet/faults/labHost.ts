import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openOutbox, outboxFolder } from '../../../src/store/outbox/outbox.ts';
import type { KeptSettlement } from '../../../src/store/outbox/settlement.ts';
import { attempt } from '../../../src/system/attempt.ts';
import { COMPILED_CODE } from '../../support/compiledCode.ts';
import type { Machine, MachineProcess } from '../../support/machines/machines.ts';
import { BIN } from '../../support/project.ts';
import type { LabOrders } from './labOrders.ts';

const PACKAGE = path.join(import.meta.dirname, '../../..');
const AGENT = path.join(import.meta.dirname, 'agent.sh');
const GIT_USER = '[user]\nname = A User\nemail = user@example.com\n[init]\ndefaultBranch = main\n';

export interface LabPlan {
  /** Workers of the process of each machine. */
  readonly slots: number;
  /** Workers of the coordinator of each machine. */
  readonly realWorkers: number;
  readonly leaseMs: number;
}

export interface LabFolder {
  readonly path: string;
  /** The bundled `labWorkers.ts`. */
  readonly script: string;
  /** The address of the remote, as machines see it. */
  readonly remote: string;
}

/** One machine with its disk: a process of many workers, and a coordinator with real ones. */
export interface LabHost {
  readonly machine: Machine;
  readonly labWorkers: readonly string[];
  /** Both; each is started if it does not run. */
  start(): void;
  /** `kill -9` of the process of many workers; resolves when it is gone. */
  killWorkers(): Promise<void>;
  /** SIGTERM to both; resolves to their exit codes. */
  end(): Promise<readonly (number | null)[]>;
  /** The settlements on its disk that the store does not have yet. */
  undelivered(): readonly string[];
  /** The settlements on its disk that the store refused, whoever of the machine asked it. */
  refused(): Promise<readonly KeptSettlement[]>;
}

export interface HostOptions {
  readonly plan: LabPlan;
  readonly folder: LabFolder;
  /** The name of its disk: a machine that was killed can come back with it. */
  readonly disk: string;
  /** Of its processes. */
  readonly env: Readonly<Record<string, string>>;
}

export const journalOf = (folder: string, machine: string) => path.join(folder, `${machine}.journal`);

export function labHost(machine: Machine, { plan, folder, disk, env: more }: HostOptions): LabHost {
  const home = path.join(folder.path, `disk-${disk}`);
  const project = path.join(home, 'project');
  const log = path.join(folder.path, `${machine.name}.log`);
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    STOPGATE_STORE: machine.url,
    STOPGATE_LEASE: `${plan.leaseMs / 1000}s`,
    GIT_CONFIG_NOSYSTEM: '1',
    MACHINE: machine.name,
    JOURNAL: journalOf(folder.path, machine.name),
    PAUSE: path.join(folder.path, 'pause'),
    ...COMPILED_CODE,
    ...more,
  };
  if (!existsSync(home)) prepareDisk(home, project, folder);
  const orders: LabOrders = {
    machine: machine.name,
    url: machine.url,
    stopgateHome: path.join(home, '.stopgate'),
    journal: env.JOURNAL,
    slots: plan.slots,
    queue: 'lab',
    leaseMs: plan.leaseMs,
    agent: AGENT,
    spawnHelper: path.join(PACKAGE, 'profiles/spawn-helper.pl'),
    env,
  };
  const running = new Map<string, MachineProcess>();
  const run = (name: string, words: readonly string[], others: Readonly<Record<string, string>> = {}) => {
    if (running.has(name)) return;
    const started = machine.start([process.execPath, ...words], { cwd: project, env: { ...env, ...others }, log });
    running.set(name, started);
    void started.ended.then(() => running.get(name) === started && running.delete(name));
  };
  return {
    machine,
    labWorkers: Array.from({ length: plan.slots }, (_, n) => `${machine.name}-l${n + 1}`),
    start: () => {
      run('workers', [folder.script, JSON.stringify(orders)]);
      if (plan.realWorkers > 0) run('fleet', [BIN, ...fleetUp(machine.name, plan)], { GIT_WORK: '1' });
    },
    killWorkers: async () => {
      const workers = running.get('workers');
      workers?.signal('SIGKILL');
      await workers?.ended;
      running.delete('workers');
    },
    end: async () => {
      const all = [...running.values()];
      for (const one of all) one.signal('SIGTERM');
      return Promise.all(all.map(({ ended }) => ended));
    },
    undelivered: () =>
      attempt(() => readdirSync(outboxFolder(orders.stopgateHome)), []).filter((name) => name.endsWith('.json')),
    refused: () => openOutbox(orders.stopgateHome).refused(),
  };
}

const fleetUp = (name: string, { realWorkers }: LabPlan) => [
  ...['fleet', 'up', '--json', '--ignore-load', '--name', name, '-n', `${realWorkers}`, '--min', `${realWorkers}`],
  ...['--queue', 'real', '--agent', `bash ${AGENT}`, '--type', 'persistent', '--worktrees', '--drain-timeout', '20s'],
];

/** A home with a clone of the remote's first commit; what is pushed later goes over the network. */
function prepareDisk(home: string, project: string, { path: folder, remote }: LabFolder): void {
  mkdirSync(path.join(home, '.stopgate'), { recursive: true, mode: 0o700 });
  writeFileSync(path.join(home, '.gitconfig'), GIT_USER);
  git(home, 'clone', '-q', path.join(folder, 'remote.git'), project);
  git(project, 'remote', 'set-url', 'origin', remote);
}

export function git(cwd: string, ...words: string[]): string {
  const env = { PATH: process.env.PATH ?? '', HOME: cwd, GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' };
  return execFileSync('git', words, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** A bare repository with one commit. */
export function makeRemote(folder: string): void {
  const user = ['-c', 'user.name=A User', '-c', 'user.email=user@example.com'];
  git(folder, 'init', '-q', '--bare', '-b', 'main', 'remote.git');
  git(folder, 'init', '-q', '-b', 'main', 'first');
  const first = path.join(folder, 'first');
  git(first, ...user, 'commit', '-q', '--allow-empty', '-m', 'First');
  git(first, 'push', '-q', path.join(folder, 'remote.git'), 'main');
}
