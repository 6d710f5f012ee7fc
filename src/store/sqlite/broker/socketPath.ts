import { lstatSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { folderFacts, makeOwnFolder, ownUid, whyFolderNotOwn, whyNotOwn } from '../../../system/ownFolder.ts';

/** A socket's address has 108 bytes on Linux and 104 on macOS, and it has a longer name while it is created. */
const LONGEST = 90;

const BESIDE = { others: 'mayRead', links: 'followed' } as const;
const PRIVATE = { others: 'mayNothing', links: 'refused' } as const;

/**
 * Beside the database. If that path is too long, or other users could put their own socket there, in a private folder in the temp
 * folder.
 */
export function socketPath(databasePath: string): string {
  const beside = `${databasePath}.sock`;
  if (Buffer.byteLength(beside) <= LONGEST && isOwnOrMissing(dirname(databasePath))) return beside;
  return join(privateFolder(), `${basename(databasePath).slice(0, 12)}-${digest(databasePath)}.sock`);
}

const privateFolder = () => join(tmpdir(), `stopgate-${ownUid() ?? 'user'}`);

/** A missing folder will be created for this user alone, together with the database. */
function isOwnOrMissing(folder: string): boolean {
  const facts = folderFacts(folder);
  return facts === undefined || whyNotOwn(facts, { ...BESIDE, uid: ownUid() }) === null;
}

/** Two lanes of FNV-1a: distinguishes paths, not a secret. */
function digest(text: string): string {
  const lane = (seed: number) => {
    let hash = seed;
    for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
    return (hash >>> 0).toString(16).padStart(8, '0');
  };
  return lane(0x811c9dc5) + lane(0x9747b28c);
}

/** Why no socket can be created there; null when its folder belongs to this user alone. */
export function whyNotToBind(socket: string): string | null {
  const folder = dirname(socket);
  const why = folder === privateFolder() ? makeOwnFolder(folder, PRIVATE) : whyFolderNotOwn(folder, BESIDE);
  if (why !== null) return `The folder ${folder} ${why}, so no socket is created there; ${FIX}.`;
  if (Buffer.byteLength(socket) > LONGEST)
    return `The path ${socket} is too long for a socket; set TMPDIR to a shorter one.`;
  return null;
}

/**
 * Why the socket must not be used; null when it can only belong to this user. Node does not report the user at the other end of a
 * socket, so the folder's permissions must exclude other users.
 */
export function whyNotToConnect(socket: string): string | null {
  const folder = dirname(socket);
  const why = whyFolderNotOwn(folder, folder === privateFolder() ? PRIVATE : BESIDE);
  if (why !== null) return `The folder ${folder} ${why}, so the socket in it is not used; ${FIX}.`;
  const found = lstatSync(socket, { throwIfNoEntry: false });
  const uid = ownUid();
  if (found === undefined || uid === undefined || (found.uid === uid && !found.isSymbolicLink())) return null;
  const what = found.isSymbolicLink() ? 'is a link' : `belongs to another user (uid ${found.uid})`;
  return `The socket ${socket} ${what} and is not used; remove it.`;
}

const FIX = 'the store is used without one; remove that folder, or set TMPDIR to one of your own';

/** Identifies the socket: a replacement has another inode. */
export function inodeOf(socket: string): number | undefined {
  return statSync(socket, { throwIfNoEntry: false })?.ino;
}
