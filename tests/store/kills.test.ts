import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/openStore.ts';
import type { Store } from '../../src/store/types.ts';
import { available } from '../../src/store/unavailable.ts';
import { add } from '../../src/testing/storeContract/steps.ts';
import { tempFolder } from '../../src/testing/tempFolder.ts';
import { startPostgres } from '../support/postgresServer.ts';
import { sizeOf } from '../support/testSize.ts';
import { bundle } from './support/bundle.ts';
import { assertSound } from './support/soundness.ts';
import { opened } from './support/sqliteStores.ts';

const TASKS = sizeOf({ small: 200, full: 400 });

interface Completer {
  readonly child: ChildProcess;
  /** `task attempt`, as it was told of each. */
  readonly acknowledged: string[];
  /** Resolves when it has told of this many, or has ended. */
  until(count: number): Promise<void>;
}

function startCompleter(script: string, args: readonly string[], cwd: string): Completer {
  const child = spawn(process.execPath, [script, ...args], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  const acknowledged: string[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => acknowledged.push(line));
  const until = async (count: number) => {
    const closed = once(lines, 'close').then(() => 'closed');
    while (acknowledged.length < count) if ((await Promise.race([once(lines, 'line'), closed])) === 'closed') return;
  };
  return { child, acknowledged, until };
}

async function killed({ child }: Completer): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

/** Every one that was told is there, with the very attempt that was told. */
async function assertThere(store: Store, acknowledged: readonly string[]): Promise<void> {
  const { tasks } = available(await store.listTasks({ statuses: ['done'], limit: TASKS }));
  const done = new Map(tasks.map(({ id, attemptId, result }) => [id, { attemptId, result }]));
  for (const line of acknowledged) {
    const [taskId = '', attemptId] = line.split(' ');
    expect(done.get(taskId), line).toEqual({ attemptId, result: `by ${attemptId}` });
  }
  // one more may be done that was never told
  expect(done.size).toBeGreaterThanOrEqual(acknowledged.length);
  await assertSound(store);
}

describe('kill -9 in the middle of completions loses none that was acknowledged', () => {
  it('of the process that completes, on SQLite', { timeout: 60_000 }, async () => {
    await using folder = await tempFolder();
    const script = await bundle(path.join(import.meta.dirname, 'completer.ts'), folder.path);
    const file = path.join(folder.path, 'x.db');
    await using store = opened(await openStore(file));
    await add(store, ...Array.from({ length: TASKS }, (_, n) => `task ${n}`));
    const acknowledged: string[] = [];
    for (const kill of [20, 35, 50]) {
      const completer = startCompleter(script, [file, `w${kill}`], folder.path);
      await completer.until(kill);
      await killed(completer);
      acknowledged.push(...completer.acknowledged);
    }
    await assertThere(store, acknowledged);
  });

  it('of the process that serves the file to two others', { timeout: 60_000 }, async () => {
    await using folder = await tempFolder();
    const script = await bundle(path.join(import.meta.dirname, 'completer.ts'), folder.path);
    const broker = await bundle(path.join(import.meta.dirname, 'faultBroker.ts'), folder.path);
    const file = path.join(folder.path, 'x.db');
    const store = opened(await openStore(file));
    await add(store, ...Array.from({ length: TASKS }, (_, n) => `task ${n}`));
    await store.close();
    const serving = spawn(process.execPath, [broker, file], {
      cwd: folder.path,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    await once(serving, 'message');
    const completers = ['a', 'b'].map((name) => startCompleter(script, [file, name], folder.path));
    const ends = completers.map(({ child }) => once(child, 'exit'));
    await Promise.all(completers.map(({ until }) => until(30)));
    const gone = once(serving, 'exit');
    serving.kill('SIGKILL');
    await gone;
    await Promise.all(ends);
    await using after = opened(await openStore(file));
    const acknowledged = completers.flatMap((completer) => completer.acknowledged);
    expect(acknowledged).toHaveLength(TASKS);
    expect(new Set(acknowledged.map((line) => line.split(' ')[0])).size).toBe(TASKS);
    await assertThere(after, acknowledged);
  });

  it('of the process that completes, and of the server, on PostgreSQL', { timeout: 60_000 }, async () => {
    await using folder = await tempFolder();
    const script = await bundle(path.join(import.meta.dirname, 'completer.ts'), folder.path);
    await using server = await startPostgres();
    const open = async () => opened(await openStore(server.url, { connections: 2 }));
    const store = await open();
    await add(store, ...Array.from({ length: TASKS }, (_, n) => `task ${n}`));
    await store.close();
    const first = startCompleter(script, [server.url, 'w1'], folder.path);
    await first.until(30);
    await killed(first);
    const second = startCompleter(script, [server.url, 'w2'], folder.path);
    await second.until(30);
    await server.stop('crash');
    await killed(second);
    await server.start();
    await using after = await open();
    await assertThere(after, [...first.acknowledged, ...second.acknowledged]);
  });
});
