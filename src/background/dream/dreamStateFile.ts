import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { jsonValue } from '../../schemas/jsonValue.ts';
import { type DreamState, dreamState } from '../../schemas/memory.ts';
import { writePrivateFile } from '../../system/atomicFile.ts';

const dreamStateFile = (memoryDir: string): string => path.join(memoryDir, '.dream.json');

/** When memory was last consolidated; undefined before the first time, or when the file cannot be read. */
export async function readDreamState(memoryDir: string): Promise<DreamState | undefined> {
  const text = await readFile(dreamStateFile(memoryDir), 'utf8').catch(() => '');
  return dreamState.safeParse(jsonValue(text)).data;
}

/** Undefined resets it to never. */
export async function writeDreamState(memoryDir: string, state: DreamState | undefined): Promise<void> {
  if (state) await writePrivateFile(dreamStateFile(memoryDir), JSON.stringify(state));
  else await rm(dreamStateFile(memoryDir), { force: true });
}
