import { mkdir, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import type { SettingsHoldRecord } from '../../../schemas/settingsHold.ts';
import { writeFileAtomically } from '../../../system/atomicFile.ts';
import type { Clock } from '../../../system/clock.ts';
import type { Ids } from '../../../system/ids.ts';
import { removeRecord, writeRecord } from './holdRecord.ts';

export interface HoldingWorld {
  readonly stopgateHome: string;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The disk itself unless given. */
  readonly effects?: HoldingEffects;
}

/** Each thing that holding does to the disk, one by one: a process may be killed before or after any of them. */
export interface HoldingEffects {
  writeRecord(at: string, record: SettingsHoldRecord): Promise<void>;
  removeRecord(at: string): Promise<void>;
  makeFolder(folder: string): Promise<void>;
  writeSettings(file: string, bytes: Buffer): Promise<void>;
  removeSettings(file: string): Promise<void>;
  /** Only an empty one. */
  removeFolder(folder: string): Promise<void>;
  /** What a kill in the middle of `writeSettings` leaves beside the file. */
  clearBeside(file: string): Promise<void>;
}

const besideName = (file: string) => `.${path.basename(file)}.stopgate.tmp`;

export const diskEffects: HoldingEffects = {
  writeRecord,
  removeRecord,
  makeFolder: async (folder) => void (await mkdir(folder, { recursive: true })),
  writeSettings: (file, bytes) => writeFileAtomically(file, bytes, { beside: besideName(file) }),
  removeSettings: (file) => rm(file, { force: true }),
  removeFolder: async (folder) => {
    // something else is in it, or it is gone: both are fine
    await rmdir(folder).catch(() => {});
  },
  clearBeside: (file) => rm(path.join(path.dirname(file), besideName(file)), { force: true }),
};
