import { cp, mkdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileOf, type StoredMemory, textDigest, writeIndex, writeMemory } from '../memory/memoryFolder.ts';
import type { DreamPlan } from './planDream.ts';

export const backupFolder = (memoryDir: string): string => `${memoryDir}.backup`;

/**
 * Carries out a plan: new files are written to a temporary folder, the present folder is copied as the one backup, then
 * files are renamed into place one by one. Files that another process wrote since the dream began stay as they are.
 */
export async function applyDream(
  memoryDir: string,
  plan: DreamPlan,
  seen: readonly StoredMemory[],
): Promise<{ readonly leftAlone: readonly string[] }> {
  const staged = `${memoryDir}.dream-${process.pid}`;
  const backup = backupFolder(memoryDir);
  try {
    for (const memory of plan.write) await writeMemory(staged, memory);
    await cp(memoryDir, `${backup}.new`, { recursive: true });
    await rm(backup, { recursive: true, force: true });
    await rename(`${backup}.new`, backup);
    const digests = new Map(seen.map(({ file, digest }) => [file, digest]));
    const leftAlone: string[] = [];
    await mkdir(memoryDir, { recursive: true, mode: 0o700 });
    for (const { name } of plan.write) {
      const file = fileOf(name);
      if (await isUnchanged(memoryDir, file, digests.get(file))) {
        await rename(path.join(staged, file), path.join(memoryDir, file));
      } else leftAlone.push(name);
    }
    // if a merged fact could not be written, its sources must stay
    for (const name of leftAlone.length === 0 ? plan.remove : []) {
      const file = fileOf(name);
      if (await isUnchanged(memoryDir, file, digests.get(file))) await rm(path.join(memoryDir, file), { force: true });
      else leftAlone.push(name);
    }
    await writeIndex(memoryDir);
    return { leftAlone };
  } finally {
    await rm(staged, { recursive: true, force: true });
    await rm(`${backup}.new`, { recursive: true, force: true });
  }
}

async function isUnchanged(memoryDir: string, file: string, digest: string | undefined): Promise<boolean> {
  const now = await readFile(path.join(memoryDir, file), 'utf8').catch(() => undefined);
  return (now === undefined ? undefined : textDigest(now)) === digest;
}
