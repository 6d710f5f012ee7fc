import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { startPostgres } from '../postgresServer.ts';
import { storeProxy } from '../storeProxy.ts';
import type { MachineProcess, MachineStart, Machines } from './machines.ts';

/**
 * Where a test may have no machines of its own: processes of this one, each group behind a proxy. They see each other's processes and
 * have one hostname, so that only what a cut connection does can be tried.
 */
export async function proxies(): Promise<Machines> {
  await using stack = new AsyncDisposableStack();
  const server = stack.use(await startPostgres());
  const services: ChildProcess[] = [];
  stack.defer(() => killAll(services));
  const owned = stack.move();
  return {
    kind: 'proxies',
    server,
    serverAddress: '127.0.0.1',
    serve: (words, options) => started(services, words, options),
    ownUrl: server.url,
    add: async (name) => {
      const proxy = await storeProxy(server.url);
      const children: ChildProcess[] = [];
      owned.defer(() => proxy[Symbol.asyncDispose]());
      owned.defer(() => killAll(children));
      return {
        name,
        url: proxy.url,
        start: (words, options) => started(children, words, options),
        killProcess: (pid) => signal(pid),
        kill: () => killAll(children),
        lose: async (share) => {
          if (share === 1) return proxy.silence();
          // a proxy cannot drop packets: it drops connections
          if (share > 0) await proxy.cut();
          await proxy.open();
        },
      };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function started(
  into: ChildProcess[],
  [file = '', ...args]: readonly string[],
  { cwd, env, log }: MachineStart,
): MachineProcess {
  const out = openSync(log, 'a');
  const child = spawn(file, args, { cwd, env, stdio: ['ignore', out, out], detached: true });
  closeSync(out);
  into.push(child);
  return {
    child,
    signal: (name) => void child.kill(name),
    ended: once(child, 'exit').then(([code]) => code as number | null),
  };
}

async function killAll(children: readonly ChildProcess[]): Promise<void> {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const gone = once(child, 'exit');
    signal(-(child.pid ?? 0));
    await gone;
  }
}

function signal(pid: number): void {
  try {
    if (pid !== 0) process.kill(pid, 'SIGKILL');
  } catch {
    // gone in the meantime
  }
}
