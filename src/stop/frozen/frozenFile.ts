import { rm } from 'node:fs/promises';
import path from 'node:path';
import { openGit } from '../../git/git.ts';
import { treeDigest } from '../../git/treeDigest.ts';
import { findWorkTree } from '../../git/workTree.ts';
import { frozenRecord } from '../../schemas/frozen.ts';
import { jsonValue } from '../../schemas/jsonValue.ts';
import { readSealedFile, writeSealedFile } from '../../system/sealedFile.ts';
import { readConfigFile } from '../checks/readConfig.ts';
import type { ArmedStart } from '../sinceStart.ts';
import { sessionFile } from '../startFile.ts';
import { type FreezePlace, type FreezeWorld, freeze } from './freeze.ts';
import type { Frozen } from './frozen.ts';
import { treeState } from './protectedFiles.ts';

/** Beside the start of the session, which is read at every stop; this only when checks may run. */
const fileOf = (stopgateHome: string, session: string) => sessionFile(stopgateHome, 'frozen', session);

export async function writeFrozen(stopgateHome: string, session: string, frozen: Frozen): Promise<void> {
  await writeSealedFile(stopgateHome, fileOf(stopgateHome, session), JSON.stringify(frozen));
}

export const removeFrozen = (stopgateHome: string, session: string): Promise<void> =>
  rm(fileOf(stopgateHome, session), { force: true });

/** Freezes the definition of done that a session is armed with, if any. */
export async function freezeFor(session: string, { file, checks }: ArmedStart, world: FreezeWorld): Promise<void> {
  if (file === null || checks.length === 0) return;
  const config = await readConfigFile(file);
  if (config.type !== 'config') return;
  const place = freezePlace(path.dirname(file), world);
  await writeFrozen(world.stopgateHome, session, await freeze(config.done, place, world));
}

/** The repository of a folder, as it is now. */
export function freezePlace(folder: string, world: FreezeWorld): FreezePlace {
  const git = openGit(world);
  const workTree = findWorkTree(git, folder);
  const tree = async () => treeState(await treeDigest(git, { folder, mirrors: mirrorsIn(world), workTree }));
  return { workTree, tree };
}

const mirrorsIn = ({ stopgateHome }: FreezeWorld) => path.join(stopgateHome, 'mirrors');

/** Null when the session began without checks, before Stopgate watched it, or when the record is damaged or was changed. */
export async function readFrozen(stopgateHome: string, session: string | null): Promise<Frozen | null> {
  if (session === null || session === '') return null;
  const read = await readSealedFile(stopgateHome, fileOf(stopgateHome, session));
  return (read.type === 'sealed' ? frozenRecord.safeParse(jsonValue(read.text)).data : undefined) ?? null;
}
