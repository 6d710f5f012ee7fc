import { lstatSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { folderFacts, makeOwnFolder, ownUid, whyFolderNotOwn, whyNotOwn } from '../../../system/ownFolder.ts';

/** A socket's address has 108 bytes on Linux and 104 on macOS, and while it is made it has a longer name. */
const LONGEST = 90;

const BESIDE = { others: 'mayRead', links: 'followed' } as const;
const PRIVATE = { others: 'mayNothing', links: 'refused' } as const;

/**
 * Beside the database. Where that name is too long, or other users can write to the folder and so could put a socket of their
 * own there, in a folder of this user's in the temp folder.
 */
export function socketPath(databasePath: string): string {
  const beside = `${databasePath}.sock`;
  if (Buffer.byteLength(beside) <= LONGEST && isOwnOrMissing(dirname(databasePath))) return beside;
  return join(privateFolder(), `${basename(databasePath).slice(0, 12)}-${digest(databasePath)}.sock`);
}

const privateFolder = () => join(tmpdir(), `stopgate-${ownUid() ?? 'user'}`);

/** A folder that is missing will be made for this user alone, together with the database. */
function isOwnOrMissing(folder: string): boolean {
  const facts = folderFacts(folder);
  return facts === undefined || whyNotOwn(facts, { ...BESIDE, uid: ownUid() }) === null;
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

/** Why no socket can be made there, in a sentence; null when its folder is this user's alone. */
export function whyNotToBind(socket: string): string | null {
  const folder = dirname(socket);
  const why = folder === privateFolder() ? makeOwnFolder(folder, PRIVATE) : whyFolderNotOwn(folder, BESIDE);
  if (why !== null) return `The folder ${folder} ${why}, so no socket is made there; ${FIX}.`;
  if (Buffer.byteLength(socket) > LONGEST)
    return `The path ${socket} is too long for a socket; set TMPDIR to a shorter one.`;
  return null;
}

/**
 * Why a process that listens there must not be talked to, in a sentence; null when it can only be one of this user's. Node does not
 * report the user at the other end of a socket, so the file system has to: no other user can put anything into the folder.
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

/** Which socket it is: one that is put in its place has another number. */
export function inodeOf(socket: string): number | undefined {
  return statSync(socket, { throwIfNoEntry: false })?.ino;
}
