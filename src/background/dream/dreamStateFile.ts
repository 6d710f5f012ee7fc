import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { type DreamState, dreamState } from '../../schemas/memory.ts';
import { writeFileAtomically } from '../../system/atomicFile.ts';

const dreamStateFile = (memoryDir: string): string => path.join(memoryDir, '.dream.json');

/** When memory was last consolidated; undefined before the first time, or when the file cannot be read. */
export async function readDreamState(memoryDir: string): Promise<DreamState | undefined> {
  try {
    return dreamState.safeParse(JSON.parse(await readFile(dreamStateFile(memoryDir), 'utf8'))).data;
  } catch {
    return undefined;
  }
}

/** Undefined takes it back to never. */
export async function writeDreamState(memoryDir: string, state: DreamState | undefined): Promise<void> {
  if (!state) return rm(dreamStateFile(memoryDir), { force: true });
  await mkdir(memoryDir, { recursive: true, mode: 0o700 });
  await writeFileAtomically(dreamStateFile(memoryDir), JSON.stringify(state), { mode: 0o600 });
}
