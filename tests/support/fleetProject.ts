import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { openStore } from '../../src/store/openStore.ts';
import type { NewTask, Store, Task, Worker } from '../../src/store/types.ts';
import { type CommandOptions, isAlive, type RunningCommand, type TestProject, testProject } from './project.ts';

const AGENT = path.join(import.meta.dirname, 'fleetAgent.mjs');
const LOOK_EVERY_MS = 25;

/** A project with a store, real coordinators, real workers, and agents that do what their tasks say. */
export interface FleetProject extends AsyncDisposable {
  readonly project: TestProject;
  readonly store: Store;
  up(...args: string[]): RunningCommand;
  add(...tasks: (string | NewTask)[]): Promise<string[]>;
  task(id: string): Promise<Task>;
  workers(): Promise<readonly Worker[]>;
  /** The lines of a file that agents write. */
  lines(file: string): readonly string[];
  /** The process of the agent that holds this task. */
  agentOf(name: string): Promise<number>;
  letGo(name: string): void;
}

/** Resolves when it is so; a test that waits in vain ends by its own time-out. */
export async function until<Result>(
  look: () => Promise<Result | false | undefined> | Result | false | undefined,
): Promise<Result> {
  while (true) {
    const seen = await look();
    if (seen !== false && seen !== undefined) return seen;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

interface FleetProjectOptions {
  readonly place?: string;
  /** Of the model, for agents that use it. */
  readonly answer?: Parameters<typeof testProject>[0];
}

/** With the store that nobody needs to name, or with the one at `place`. */
export async function fleetProject({ place, answer }: FleetProjectOptions = {}): Promise<FleetProject> {
  const project = inStore(await testProject(answer), place);
  const home = path.join(project.home, '.stopgate');
  mkdirSync(home, { recursive: true });
  const opened = await openStore(place ?? path.join(home, 'stopgate.db'));
  if ('type' in opened) throw new Error(opened.reason);
  const store = opened;
  const workers = async () => {
    const listed = await store.workers({});
    return listed.type === 'workers' ? listed.workers : [];
  };
  const lines = (file: string) => {
    const place = path.join(project.dir, file);
    return existsSync(place) ? readFileSync(place, 'utf8').split('\n').filter(Boolean) : [];
  };
  return {
    project,
    store,
    workers,
    lines,
    up: (...args) =>
      project.start(['fleet', 'up', '--json', '--ignore-load', '--agent', `${process.execPath} ${AGENT}`, ...args]),
    add: async (...tasks) => {
      const added = await store.addTasks({
        tasks: tasks.map((task) => ({ backoffMs: 50, ...(typeof task === 'string' ? { title: task } : task) })),
      });
      if (added.type !== 'added') throw new Error(JSON.stringify(added));
      return added.tasks.map(({ id }) => id);
    },
    task: async (id) => {
      const found = await store.task({ id });
      if (found.type !== 'found') throw new Error(JSON.stringify(found));
      return found.task;
    },
    agentOf: async (name) => Number(await until(() => lines(`${name}.running`)[0])),
    letGo: (name) => void project.write(`${name}.go`, ''),
    [Symbol.asyncDispose]: async () => {
      // whatever a test left, coordinators first, since they would start new ones
      const seen = await workers();
      await project[Symbol.asyncDispose]();
      for (const { pid } of [...seen, ...(await workers())]) end(pid);
      await store.close();
    },
  };
}

function inStore(project: TestProject, place: string | undefined): TestProject {
  if (place === undefined) return project;
  const there = ({ env, ...more }: CommandOptions = {}) => ({ ...more, env: { STOPGATE_STORE: place, ...env } });
  return {
    ...project,
    start: (args, options) => project.start(args, there(options)),
    run: (args, options) => project.run(args, there(options)),
  };
}

function end(pid: number | null): void {
  if (pid === null || !isAlive(pid)) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // gone in the meantime
  }
}
