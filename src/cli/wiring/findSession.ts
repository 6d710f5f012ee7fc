import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { isSessionId, listSessions, projectSessionsDir } from '../../session/transcript/sessionFiles.ts';
import { UserError } from '../../system/userError.ts';
import type { World } from '../../system/world.ts';
import { ambiguous } from './oneSession.ts';

type Listed = Awaited<ReturnType<typeof listSessions>>[number];
export type FoundSession = ReturnType<typeof found>;

/** The session with this id or prefix, in this folder first, else in any; without an id the latest. */
export async function findSession(world: World, wanted: string | undefined): Promise<FoundSession> {
  const here = projectSessionsDir(world.stopgateHome, world.cwd);
  const own = await listSessions(here);
  if (wanted === undefined) {
    const [latest] = own;
    if (latest) return found(latest);
    throw new UserError(`No session in ${world.cwd}; start one with stopgate -p "…".`);
  }
  if (!isSessionId(wanted))
    throw new UserError(`'${wanted}' is not a valid session id; \`stopgate list\` shows the sessions.`);
  const everywhere = async () => (await Promise.all((await otherFolders(here)).map(listSessions))).flat();
  const match = matchSession(own, wanted) ?? matchSession(await everywhere(), wanted);
  if (match) return found(match);
  throw new UserError(`No session ${wanted}; \`stopgate list\` shows the sessions of this folder.`);
}

/** The session with this id, or the only one whose id begins with it. */
export function matchSession(sessions: readonly Listed[], wanted: string): Listed | undefined {
  const exact = sessions.find(({ id }) => id === wanted);
  if (exact) return exact;
  const starting = sessions.filter(({ id }) => id.startsWith(wanted));
  if (starting.length > 1) {
    throw ambiguous(
      wanted,
      'sessions',
      starting.map(({ id }) => id),
    );
  }
  return starting[0];
}

async function otherFolders(here: string): Promise<readonly string[]> {
  const projects = path.dirname(here);
  const names = await readdir(projects).catch(() => []);
  return names.map((name) => path.join(projects, name)).filter((folder) => folder !== here);
}

/** With its transcript, and the folder of its other files, such as the snapshot. */
const found = ({ id, file }: Listed) => ({ id, file, folder: file.slice(0, -'.jsonl'.length) });
