import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { readJsonFile } from '../../schemas/jsonFile.ts';
import { prunedTasks } from '../../schemas/prunedTasks.ts';
import { writePrivateFile } from '../../system/atomicFile.ts';
import { attempt } from '../../system/attempt.ts';
import type { EndedTask } from './leftovers.ts';

/** What a store no longer knows, and this machine may still have. */
export interface PrunedTasks {
  /** Of earlier runs, also of runs that were killed. */
  readonly earlier: readonly EndedTask[];
  /** Durable when it resolves, before the store forgets them. Returns why it could not be written; null when it was. */
  note(tasks: readonly EndedTask[]): Promise<string | null>;
  /** These are left; whatever was noted before is replaced. */
  settle(tasks: readonly EndedTask[]): Promise<void>;
}

/** One file per run, so that two at a time do not overwrite each other. A damaged file proves nothing, and is left alone. */
export async function openPrunedTasks(stopgateHome: string, location: string): Promise<PrunedTasks> {
  const folder = path.join(stopgateHome, 'pruned');
  const start = `${createHash('sha256').update(location).digest('hex').slice(0, 16)}-`;
  const used: string[] = [];
  const written: string[] = [];
  const earlier = new Map<string, EndedTask>();
  for (const name of attempt(() => readdirSync(folder), [])) {
    if (!name.startsWith(start) || !name.endsWith('.json')) continue;
    const file = path.join(folder, name);
    const read = await readJsonFile(file, prunedTasks);
    if (read?.location !== location) continue;
    used.push(file);
    for (const { id, epoch, left } of read.tasks) earlier.set(id, { id, epoch, left: left.map(present) });
  }
  const write = async (tasks: readonly EndedTask[]): Promise<string | null> => {
    if (tasks.length === 0) return null;
    const named = tasks.map(({ id, epoch, left }) => ({ id, epoch, left }));
    const file = path.join(folder, `${start}${randomBytes(8).toString('hex')}.json`);
    try {
      await writePrivateFile(file, `${JSON.stringify({ location, tasks: named })}\n`);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return `Nothing was removed: what tasks left on this machine could not be noted in ${folder} (${why}).`;
    }
    written.push(file);
    return null;
  };
  return {
    earlier: [...earlier.values()],
    note: write,
    settle: async (tasks) => {
      const before = [...used, ...written];
      // what could not be written again stays noted as it was
      if ((await write(tasks)) !== null) return;
      for (const file of before) attempt(() => rmSync(file, { force: true }), undefined);
    },
  };
}

type Left = EndedTask['left'][number];

const present = ({ epoch, branch, worktree, wipRef }: { [Key in keyof Left]: Left[Key] | undefined }): Left => ({
  epoch: epoch ?? 0,
  ...(branch !== undefined && { branch }),
  ...(worktree !== undefined && { worktree }),
  ...(wipRef !== undefined && { wipRef }),
});
