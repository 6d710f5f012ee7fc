import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { folderFacts, ownUid, whyNotOwn } from './ownFolder.ts';
import { shellWord } from './shellWords.ts';

/** `~/.stopgate`, or STOPGATE_HOME. */
export function stopgateHome(env: Readonly<Record<string, string | undefined>>): string {
  return env.STOPGATE_HOME || join(env.HOME || homedir(), '.stopgate');
}

/** Creates Stopgate's own folder for this user alone, before other code creates it with the umask's permissions. */
export function makeHome(env: Readonly<Record<string, string | undefined>>): void {
  try {
    mkdirSync(stopgateHome(env), { recursive: true, mode: 0o700 });
  } catch {
    // code that writes there reports the cause
  }
}

/**
 * Why Stopgate's own folder cannot be trusted, in a sentence; null when it can, or does not exist. It contains hooks,
 * settings, trusted folders, compiled code and tasks: a user who can write there decides what this user runs.
 */
export function whyHomeUnsafe(env: Readonly<Record<string, string | undefined>>): string | null {
  const folder = stopgateHome(env);
  const facts = folderFacts(folder);
  if (facts === undefined) return null;
  const why = whyNotOwn(facts, { uid: ownUid(), others: 'mayRead', links: 'followed' });
  if (why === null) return null;
  const isOwn = facts.isFolder && facts.uid === ownUid();
  const fix = isOwn
    ? `check its content, then run: chmod go-w ${shellWord(folder)}`
    : 'set STOPGATE_HOME to a folder of your own';
  return `${folder} ${why}, so nothing in it is used; ${fix}`;
}
