import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { openStore } from '../../src/store/openStore.ts';
import type { Attempt, Store, TaskDetail } from '../../src/store/types.ts';
import { available } from '../../src/store/unavailable.ts';
import { tempFolder } from '../../src/testing/tempFolder.ts';
import { type RunningCommand, type TestProject, testProject } from './project.ts';

const NAMED = ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'init.defaultBranch=main'];

/** A machine: a home, a Stopgate folder, a machine id and a folder of its own; it shares the store and the remote with others. */
export interface Machine {
  readonly project: TestProject;
  readonly env: Readonly<Record<string, string>>;
  /** A worker in a folder that is no repository, with a command as its agent. */
  work(slot: string, script: string, ...options: string[]): RunningCommand;
  run(...args: string[]): ReturnType<TestProject['run']>;
}

export interface RemoteFleet extends AsyncDisposable {
  /** A bare repository with a branch `main`. */
  readonly remote: string;
  readonly url: string;
  readonly store: Store;
  /** Git in the remote. */
  git(...args: string[]): string;
  /** The refs of the remote. */
  refs(): readonly string[];
  machine(): Promise<Machine>;
  task(id: string): Promise<TaskDetail>;
  attempts(id: string): Promise<readonly Attempt[]>;
}

/** Without `place`, the store is a file. */
export async function remoteFleet(place?: string): Promise<RemoteFleet> {
  const folder = await tempFolder();
  const remote = path.join(folder.path, 'work.git');
  const seed = path.join(folder.path, 'seed');
  const run = (cwd: string, ...args: string[]) =>
    execFileSync('git', [...NAMED, ...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  mkdirSync(seed);
  run(folder.path, 'init', '-q', '--bare', remote);
  run(seed, 'init', '-q');
  execFileSync('sh', ['-c', 'echo first > file.txt; echo ignored.txt > .gitignore'], { cwd: seed });
  run(seed, 'add', '-A');
  run(seed, 'commit', '-qm', 'first');
  run(seed, 'push', '-q', remote, 'main');
  const storePlace = place ?? path.join(folder.path, 'tasks.db');
  const store = await openStore(storePlace);
  if ('type' in store) throw new Error(store.reason);
  const machines: TestProject[] = [];
  const git = (...args: string[]) => run(remote, ...args);
  return {
    remote,
    url: `file://${remote}`,
    store,
    git,
    refs: () => git('for-each-ref', '--format=%(refname)').trim().split('\n'),
    machine: async () => {
      const project = await testProject();
      machines.push(project);
      const env = { STOPGATE_STORE: storePlace, STOPGATE_HOME: path.join(project.home, '.stopgate') };
      return {
        project,
        env,
        run: (...args) => project.run(args, { env }),
        work: (slot, script, ...options) =>
          project.start(
            ['worker', 'run', '--slot', slot, '--idle-timeout', '1s', ...options, '--agent', `sh -c '${script}' sh`],
            { env },
          ),
      };
    },
    task: async (id) => {
      const found = await store.task({ id });
      if (found.type !== 'found') throw new Error(JSON.stringify(found));
      return found.task;
    },
    attempts: async (id) => available(await store.attempts({ taskId: id })).attempts,
    [Symbol.asyncDispose]: async () => {
      for (const project of machines) await project[Symbol.asyncDispose]();
      await store.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

export const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
