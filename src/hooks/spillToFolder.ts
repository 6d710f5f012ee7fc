import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Ids } from '../system/ids.ts';
import type { Spill } from './spill.ts';

/** Saves long texts as files of their own in a folder, which is made when the first one comes. */
export function spillToFolder(folder: string, ids: Ids): Spill {
  return (text) => {
    const file = path.join(folder, `hook-${ids.uuid()}.txt`);
    mkdirSync(folder, { recursive: true });
    // what a hook says may be a secret
    writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
    return file;
  };
}
