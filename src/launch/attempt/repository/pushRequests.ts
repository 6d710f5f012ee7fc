import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { type PushAnswer, pushAnswer } from '../../../schemas/pushAnswer.ts';
import { writeFileAtomically } from '../../../system/atomicFile.ts';
import type { Clock } from '../../../system/clock.ts';
import { readTextFile } from '../../../system/readTextFile.ts';

const LOOK_EVERY_MS = 200;
const LONGEST_ANSWER = 64 * 1024;

export interface PushServer {
  readonly folder: string;
  readonly clock: Clock;
  /** Keeps and pushes everything. */
  readonly push: () => Promise<PushAnswer>;
}

/** Answers requests until the signal. */
export async function servePushes({ folder, clock, push }: PushServer, over: AbortSignal): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  while (!over.aborted) {
    for (const name of await readdir(folder).catch(() => [])) {
      const [, id] = /^([\w-]+)\.request$/.exec(name) ?? [];
      if (id === undefined) continue;
      await rm(path.join(folder, name), { force: true });
      const answer = await push();
      await writeFileAtomically(path.join(folder, `${id}.answer`), JSON.stringify(answer)).catch(() => {});
    }
    await clock.sleep(LOOK_EVERY_MS, over);
  }
  await rm(folder, { recursive: true, force: true });
}

export interface PushCall {
  readonly folder: string;
  readonly clock: Clock;
  readonly id: string;
  readonly longestMs: number;
}

/** Null when no worker answered in time. */
export async function requestPush({ folder, clock, id, longestMs }: PushCall): Promise<PushAnswer | null> {
  const [request, answer] = ['request', 'answer'].map((kind) => path.join(folder, `${id}.${kind}`)) as [string, string];
  const until = clock.now() + longestMs;
  try {
    await writeFileAtomically(request, '');
    while (clock.now() < until) {
      const read = await readTextFile(answer, LONGEST_ANSWER);
      if (read.type === 'read') return pushAnswer.safeParse(JSON.parse(read.text)).data ?? null;
      await clock.sleep(LOOK_EVERY_MS);
    }
    return null;
  } catch {
    // its worker is gone, and the folder with it
    return null;
  } finally {
    await Promise.all([request, answer].map((file) => rm(file, { force: true })));
  }
}
