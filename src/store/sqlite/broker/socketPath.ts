import { statSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { basename, join } from 'node:path';

/** A socket's address has 108 bytes on Linux and 104 on macOS, and while it is made it has a longer name. */
const LONGEST = 90;

/** Beside the database, or, when that is too long, in a folder of this user's in the temp folder. */
export function socketPath(databasePath: string): string {
  const beside = `${databasePath}.sock`;
  if (Buffer.byteLength(beside) <= LONGEST) return beside;
  return join(
    tmpdir(),
    `stopgate-${userInfo().uid}`,
    `${basename(databasePath).slice(0, 12)}-${digest(databasePath)}.sock`,
  );
}

/** Two lanes of FNV-1a: it tells paths apart, it keeps no secret. */
function digest(text: string): string {
  const lane = (seed: number) => {
    let hash = seed;
    for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
    return (hash >>> 0).toString(16).padStart(8, '0');
  };
  return lane(0x811c9dc5) + lane(0x9747b28c);
}

/** Which socket it is: one that is put in its place has another number. */
export function inodeOf(socket: string): number | undefined {
  return statSync(socket, { throwIfNoEntry: false })?.ino;
}
