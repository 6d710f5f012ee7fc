import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { isSessionId, listSessions, projectSessionsDir } from '../../session/transcript/sessionFiles.ts';
import { UserError } from '../../system/userError.ts';
import type { World } from '../../system/world.ts';

export interface FoundSession {
  readonly id: string;
  /** Its transcript. */
  readonly file: string;
  /** Beside it: the snapshot and all else. */
  readonly folder: string;
}

/** The session that an id, or the beginning of one, names: of this folder first, else of any; the latest without one. */
export async function findSession(world: World, wanted: string | undefined): Promise<FoundSession> {
  const here = projectSessionsDir(world.stopgateHome, world.cwd);
  const own = await listSessions(here);
  if (wanted === undefined) {
    const [latest] = own;
    if (latest) return found(latest);
    throw new UserError(`There is no session in ${world.cwd} to ask; start one with stopgate -p "…".`);
  }
  if (!isSessionId(wanted)) throw new UserError(`'${wanted}' cannot be a session id; \`stopgate list\` shows them.`);
  const everywhere = async () => (await Promise.all((await otherFolders(here)).map(listSessions))).flat();
  const match = one(own, wanted) ?? one(await everywhere(), wanted);
  if (match) return found(match);
  throw new UserError(`There is no session ${wanted}; \`stopgate list\` shows those of this folder.`);
}

type Listed = Awaited<ReturnType<typeof listSessions>>[number];

function one(sessions: readonly Listed[], wanted: string): Listed | undefined {
  const exact = sessions.find(({ id }) => id === wanted);
  if (exact) return exact;
  const starting = sessions.filter(({ id }) => id.startsWith(wanted));
  if (starting.length > 1) {
    throw new UserError(`${starting.length} sessions begin with ${wanted}; write more of the id.`);
  }
  return starting[0];
}

async function otherFolders(here: string): Promise<readonly string[]> {
  const projects = path.dirname(here);
  const names = await readdir(projects).catch(() => []);
  return names.map((name) => path.join(projects, name)).filter((folder) => folder !== here);
}

const found = ({ id, file }: Listed): FoundSession => ({ id, file, folder: file.slice(0, -'.jsonl'.length) });
