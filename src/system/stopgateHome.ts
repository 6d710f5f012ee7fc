import { mkdirSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { attempt } from './attempt.ts';
import { folderFacts, ownUid, whyNotOwn } from './ownFolder.ts';
import { shellWord } from './shellWords.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** `~/.stopgate`, or STOPGATE_HOME. */
export function stopgateHome(env: Env): string {
  // with an empty HOME, Node's answer is empty too
  return env.STOPGATE_HOME || join(env.HOME || homedir() || userInfo().homedir, '.stopgate');
}

/** Called first in a process: an empty HOME is none, also for what it starts. */
export function dropEmptyHome(env: NodeJS.ProcessEnv): void {
  if (env.HOME === '') delete env.HOME;
}

/** Why there is no folder of the user, in a sentence without its point: a relative one would be another one in each folder. */
export function whyNoHome(env: Env): string | null {
  const name = ['STOPGATE_HOME', 'HOME'].find((one) => env[one] && !isAbsolute(env[one]));
  if (name !== undefined) return `${name} must be an absolute path, got ${JSON.stringify(env[name])}`;
  const isKnown = attempt(() => isAbsolute(stopgateHome(env)), false);
  return isKnown ? null : 'the system knows no home folder of this user; set HOME to one, as an absolute path';
}

/** Creates Stopgate's own folder for this user alone, before other code creates it with the umask's permissions. */
export function makeHome(env: Env): void {
  if (whyNoHome(env) !== null) return;
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
export function whyHomeUnsafe(env: Env): string | null {
  const none = whyNoHome(env);
  if (none !== null) return none;
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
