import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { StoreOperations } from '../../../src/store/types.ts';
import { bundle } from './bundle.ts';

type Answer<Name extends keyof StoreOperations> = Awaited<ReturnType<StoreOperations[Name]>>;
type Request<Name extends keyof StoreOperations> = NonNullable<Parameters<StoreOperations[Name]>[0]>;

/** One way into a store from another process. */
export interface StoreProcess {
  readonly pid: number;
  ask<Name extends keyof StoreOperations>(operation: Name, request: Request<Name>): Promise<Answer<Name>>;
  /** Lets it do this and die of `SIGKILL` before it can tell; resolves when it is gone. */
  dieAfter<Name extends keyof StoreOperations>(operation: Name, request: Request<Name>): Promise<void>;
}

export interface StoreProcesses extends AsyncDisposable {
  start(): Promise<StoreProcess>;
}

/** Processes that share a store and nothing else; gone with their scope. */
export async function storeProcesses(folder: string, spec: string, schema = 'stopgate'): Promise<StoreProcesses> {
  const script = await bundle(path.join(import.meta.dirname, '../storeProcess.ts'), folder);
  const children: ChildProcess[] = [];
  return {
    start: async () => {
      const child = fork(script, [spec, schema], { cwd: folder, execArgv: [] });
      children.push(child);
      const [first] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
      if (first !== 'ready') throw new Error(`A process of the store ended with ${first}`);
      return overIpc(child);
    },
    [Symbol.asyncDispose]: async () => {
      const running = children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
      const gone = running.map((child) => once(child, 'exit'));
      for (const child of running) child.kill('SIGKILL');
      await Promise.all(gone);
    },
  };
}

function overIpc(child: ChildProcess): StoreProcess {
  return {
    pid: child.pid ?? 0,
    ask: async (operation, request) => {
      const answered = once(child, 'message');
      child.send({ operation, request });
      return (await answered)[0];
    },
    dieAfter: async (operation, request) => {
      const gone = once(child, 'exit');
      child.send({ operation, request, thenDie: true });
      await gone;
    },
  };
}
