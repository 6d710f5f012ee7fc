import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { openGit } from '../../git/git.ts';
import { treeDigest } from '../../git/treeDigest.ts';
import { frozenRecord } from '../../schemas/frozen.ts';
import { jsonValue } from '../../schemas/jsonValue.ts';
import { writeFileAtomically } from '../../system/atomicFile.ts';
import { readConfigFile } from '../checks/readConfig.ts';
import type { ArmedStart } from '../sinceStart.ts';
import { sessionFile } from '../startFile.ts';
import { type FreezeWorld, freeze } from './freeze.ts';
import type { Frozen } from './frozen.ts';
import { treeState } from './protectedFiles.ts';

/** Beside the start of the session, which is read at every stop; this only when checks may run. */
const fileOf = (stopgateHome: string, session: string) => sessionFile(stopgateHome, 'frozen', session);

export async function writeFrozen(stopgateHome: string, session: string, frozen: Frozen): Promise<void> {
  const file = fileOf(stopgateHome, session);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeFileAtomically(file, `${JSON.stringify(frozen)}\n`, { mode: 0o600 });
}

/** Freezes the definition of done that a session is armed with, if any. */
export async function freezeFor(session: string, { file, checks }: ArmedStart, world: FreezeWorld): Promise<void> {
  if (file === null || checks.length === 0) return;
  const config = await readConfigFile(file);
  if (config.type !== 'config') return;
  const tree = async () =>
    treeState(await treeDigest(openGit(world), { folder: path.dirname(file), mirrors: mirrorsIn(world) }));
  await writeFrozen(world.stopgateHome, session, await freeze(config.done, tree, world));
}

const mirrorsIn = ({ stopgateHome }: FreezeWorld) => path.join(stopgateHome, 'mirrors');

/** Null when the session began without checks, before Stopgate watched it, or when the record is damaged. */
export async function readFrozen(stopgateHome: string, session: string | null): Promise<Frozen | null> {
  if (session === null || session === '') return null;
  const text = await readFile(fileOf(stopgateHome, session), 'utf8').catch(() => '');
  const read = frozenRecord.safeParse(jsonValue(text));
  return read.success ? read.data : null;
}
