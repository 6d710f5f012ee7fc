import { existsSync } from 'node:fs';
import { lstat, mkdir, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import type { SettingsHoldRecord } from '../../../schemas/settingsHold.ts';
import { writeFileAtomically } from '../../../system/atomicFile.ts';
import type { Clock } from '../../../system/clock.ts';
import { withExactFolder } from '../../../system/exactFolder.ts';
import type { Ids } from '../../../system/ids.ts';
import { removeRecord, writeRecord } from './holdRecord.ts';

export interface HoldingWorld {
  readonly stopgateHome: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly effects?: HoldingEffects;
}

/** Each change of the disk: a process may be killed before or after any of them. */
export interface HoldingEffects {
  writeRecord(at: string, record: SettingsHoldRecord): Promise<void>;
  removeRecord(at: string): Promise<void>;
  makeFolder(folder: string): Promise<void>;
  writeSettings(file: string, bytes: Buffer): Promise<void>;
  removeSettings(file: string): Promise<void>;
  /** Only an empty one. */
  removeFolder(folder: string): Promise<void>;
  /** Removes what a kill during `writeSettings` leaves beside the file. */
  clearBeside(file: string): Promise<void>;
}

const besideName = (file: string) => `.${path.basename(file)}.stopgate.tmp`;

export const diskEffects: HoldingEffects = {
  writeRecord,
  removeRecord,
  makeFolder: async (folder) => void (await mkdir(folder, { recursive: true })),
  // an agent could replace the folder by a link at any time
  writeSettings: (file, bytes) => inItsFolder(file, (at) => writeSettings(at, bytes)),
  removeSettings: (file) => inItsFolder(file, (at) => rm(at, { force: true })),
  removeFolder: async (folder) => {
    // it is not empty or already gone: both are fine
    await rmdir(folder).catch(() => {});
  },
  clearBeside: async (file) => {
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
