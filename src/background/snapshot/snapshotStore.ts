import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { AssistantContent } from '../../models/types.ts';
import type { CacheSafeParams } from '../../query/stop/stopWork.ts';
import { type SnapshotFile, snapshotFile } from '../../schemas/snapshot.ts';
import { writePrivateFile } from '../../system/atomicFile.ts';
import { type Clock, wallNow } from '../../system/clock.ts';

export const snapshotPath = (sessionFolder: string): string => path.join(sessionFolder, 'snapshot.json');

interface Held {
  readonly params: CacheSafeParams;
  readonly answer: AssistantContent | undefined;
}

/**
 * The session's last cache-safe prefix, on disk for questions from other processes. Writes are sequential and only the
 * newest waits, because a conversation is large. Without a folder nothing is kept.
 */
export function snapshotStore(sessionFolder: string | null, clock: Clock) {
  let held: Held | undefined;
  let isDirty = false;
  let writing: Promise<void> | undefined;
  let failure: string | undefined;

  const flush = async (folder: string) => {
    // wait for the answer, which is known on the next tick
    await new Promise((resolve) => setImmediate(resolve));
    while (isDirty && held) {
      isDirty = false;
      await writePrivateFile(snapshotPath(folder), textOf(held, wallNow(clock))).catch((error: Error) => {
        failure = `The snapshot for side questions cannot be written to ${folder}: ${error.message}.`;
      });
    }
    writing = undefined;
  };
  const hold = (next: Held) => {
    held = next;
    if (sessionFolder === null) return;
    isDirty = true;
    writing ??= flush(sessionFolder);
  };
  return {
    save: (params: CacheSafeParams) => hold({ params, answer: undefined }),
    /** The model's answer to it, which is known later. */
    answered: (params: CacheSafeParams, answer: AssistantContent | undefined) => {
      const isKnown = held?.params === params && held.answer !== undefined;
      if (answer && !isKnown) hold({ params, answer });
    },
    /** Resolves when the latest one is on disk, with a sentence if that failed. */
    written: async () => {
      await writing;
      return failure;
    },
  };
}

function textOf({ params, answer }: Held, now: number): string {
  const { sessionId, model, system, tools, messages } = params;
  return JSON.stringify({
    ...{ version: 1, savedAt: new Date(now).toISOString(), sessionId, model: model.id, system, tools },
    ...{ messages: messages.toArray(), answer: answer ?? null },
  });
}

export type ReadSnapshot =
  | { readonly type: 'ok'; readonly snapshot: SnapshotFile }
  | { readonly type: 'missing' }
  | { readonly type: 'broken'; readonly reason: string };

export async function readSnapshot(sessionFolder: string): Promise<ReadSnapshot> {
  let text: string;
  try {
    text = await readFile(snapshotPath(sessionFolder), 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? { type: 'missing' } : { type: 'broken', reason: message };
  }
  try {
    const read = snapshotFile.safeParse(JSON.parse(text));
    if (read.success) return { type: 'ok', snapshot: read.data };
    const [issue] = read.error.issues;
    return { type: 'broken', reason: `${issue?.path.join('.') || 'its top'}: ${issue?.message}` };
  } catch (error) {
    return { type: 'broken', reason: (error as Error).message };
  }
}
