import { openStore } from '../../src/store/openStore.ts';
import type { TaskDetail, Worker } from '../../src/store/types.ts';
import { available } from '../../src/store/unavailable.ts';

/** The time of a verifier is many seconds. */
const LOOK_EVERY_MS = 100;

export interface StoredTask {
  readonly task: TaskDetail;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it freely
  readonly attempts: readonly any[];
}

/** What `task show --json` reports of a task, without starting the command, which takes twenty times as much of a processor. */
export async function storedTask(place: string, id: string): Promise<StoredTask> {
  await using store = await openedAt(place);
  const found = available(await store.task({ id }));
  if (found.type !== 'found') throw new Error(JSON.stringify(found));
  const { attempts } = available(await store.attempts({ taskId: id }));
  return { task: found.task, attempts };
}

/** The workers that `worker list` reports. */
export async function storedWorkers(place: string): Promise<readonly Worker[]> {
  await using store = await openedAt(place);
  return available(await store.workers({})).workers;
}

/** Resolves when the time of its verifier is over, which is gone or stands still. */
export async function verificationLapsed(place: string, id: string): Promise<void> {
  await using store = await openedAt(place);
  const isOver = async () => {
    const [found, listed] = [available(await store.task({ id })), available(await store.workers({}))];
    if (found.type !== 'found') throw new Error(JSON.stringify(found));
    return (found.task.verifyUntil ?? 0) < listed.now;
  };
  while (!(await isOver())) await new Promise((soon) => setTimeout(soon, LOOK_EVERY_MS));
}

async function openedAt(place: string) {
  const store = await openStore(place);
  if ('type' in store) throw new Error(store.reason);
  return store;
}
