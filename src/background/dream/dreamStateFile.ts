import { rm } from 'node:fs/promises';
import path from 'node:path';
import { readJsonFile } from '../../schemas/jsonFile.ts';
import { type DreamState, dreamState } from '../../schemas/memory.ts';
import { writePrivateFile } from '../../system/atomicFile.ts';

const dreamStateFile = (memoryDir: string): string => path.join(memoryDir, '.dream.json');

/** When memory was last consolidated; undefined before the first time, or when the file cannot be read. */
export const readDreamState = (memoryDir: string): Promise<DreamState | undefined> =>
  readJsonFile(dreamStateFile(memoryDir), dreamState);

/** Undefined resets it to never. */
export async function writeDreamState(memoryDir: string, state: DreamState | undefined): Promise<void> {
  if (state) await writePrivateFile(dreamStateFile(memoryDir), JSON.stringify(state));
  else await rm(dreamStateFile(memoryDir), { force: true });
}
