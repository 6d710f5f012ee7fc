import { existsSync } from 'node:fs';
import { lstat, mkdir, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '../../system/atomicFile.ts';
import { withExactFolder } from '../../system/exactFolder.ts';
import type { World } from '../../system/world.ts';
import { writeRecord } from './holdRecord.ts';

export interface HoldingWorld extends Pick<World, 'stopgateHome' | 'clock' | 'ids'> {
  readonly effects?: HoldingEffects;
}

export type HoldingEffects = typeof diskEffects;

const besideName = (file: string) => `.${path.basename(file)}.stopgate.tmp`;

/** Each change of the disk: a process may be killed before or after any of them. */
export const diskEffects = {
  writeRecord,
  removeRecord: (at: string) => rm(at, { force: true }),
  makeFolder: async (folder: string) => void (await mkdir(folder, { recursive: true })),
  // an agent could replace the folder by a link at any time
  writeSettings: (file: string, bytes: Buffer) => inItsFolder(file, (at) => writeSettings(at, bytes)),
  removeSettings: (file: string) => inItsFolder(file, (at) => rm(at, { force: true })),
  // when it is not empty or already gone, both are fine
  removeFolder: (folder: string) => rmdir(folder).catch(() => {}),
  /** Removes what a kill during `writeSettings` leaves beside the file. */
  clearBeside: async (file: string) => {
    if (!existsSync(path.dirname(file))) return;
    await inItsFolder(file, (at) => rm(path.join(path.dirname(at), besideName(file)), { force: true }));
  },
};

const inItsFolder = (file: string, use: (at: string) => Promise<void>) =>
  withExactFolder(path.dirname(file), (at) => use(path.join(at, path.basename(file))));

async function writeSettings(at: string, bytes: Buffer): Promise<void> {
  const entry = await lstat(at).catch(() => undefined);
  if (entry?.isSymbolicLink()) throw new Error('it was replaced by a symbolic link');
  await writeFileAtomically(at, bytes, { beside: besideName(at) });
}
