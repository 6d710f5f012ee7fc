import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ownValue } from '../../system/ownValue.ts';
import type { Unavailable, UnavailableCause } from '../unavailable.ts';

/** An empty file that only its owner reads, in a folder that is made if need be; nothing when there is one. */
export function makeFile(path: string): Unavailable | undefined {
  if (existsSync(path)) {
    if (!statSync(path).isDirectory()) return undefined;
    return unavailable('unusable', `${path} is a folder; a store is a file.`);
  }
  const folder = dirname(path);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    closeSync(openSync(path, 'a', 0o600));
    return undefined;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    const words = ownValue(WORDS, code);
    if (!words) throw error;
    return unavailable(code === 'ENOSPC' || code === 'EDQUOT' ? 'diskFull' : 'unreachable', words(path, folder));
  }
}

const mayNotWrite = (path: string, folder: string) =>
  `The store ${path} cannot be made because the folder ${folder} may not be written; change its permissions or choose another path.`;
const noSpace = (path: string) => `The store ${path} cannot be made because the disk is full; free some space.`;
const notAFolder = (path: string, folder: string) =>
  `The store ${path} cannot be made because ${folder} is not a folder; choose another path.`;

const WORDS: Readonly<Record<string, (path: string, folder: string) => string>> = {
  EACCES: mayNotWrite,
  EPERM: mayNotWrite,
  EROFS: mayNotWrite,
  ENOTDIR: notAFolder,
  EEXIST: notAFolder,
  ENOSPC: noSpace,
  EDQUOT: noSpace,
};

function unavailable(cause: UnavailableCause, reason: string): Unavailable {
  return { type: 'unavailable', cause, reason };
}
