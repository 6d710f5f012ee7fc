import path from 'node:path';
import type { SessionTitle } from '../../query/params.ts';
import { jsonValue } from '../../schemas/jsonValue.ts';
import { sessionNames } from '../../schemas/sessionNames.ts';
import { writePrivateFile } from '../../system/atomicFile.ts';
import { textIn } from '../../system/readTextFile.ts';

const namesFile = (sessionsDir: string) => path.join(sessionsDir, 'names.json');

/** Names that a person gave to sessions, by their ids. A file that cannot be read has none. */
export function readSessionNames(sessionsDir: string): Readonly<Record<string, string>> {
  return sessionNames.safeParse(jsonValue(textIn(namesFile(sessionsDir)))).data ?? {};
}

export async function nameSession(sessionsDir: string, id: string, name: string): Promise<void> {
  const names = { ...readSessionNames(sessionsDir), [id]: name };
  await writePrivateFile(namesFile(sessionsDir), `${JSON.stringify(names, null, 2)}\n`);
}

/** A session's name as its hooks see and change it. */
export function sessionTitleIn(sessionsDir: string, id: string): SessionTitle {
  let title = readSessionNames(sessionsDir)[id];
  return {
    current: () => title,
    change: async (name) => {
      if (name === title) return;
      title = name;
      await nameSession(sessionsDir, id, name);
    },
  };
}

/** The session with this name; undefined when there is none, or more than one. */
export function sessionNamed(sessionsDir: string, name: string): string | undefined {
  const found = Object.entries(readSessionNames(sessionsDir)).filter(([, one]) => one === name);
  return found.length === 1 ? found[0]?.[0] : undefined;
}
