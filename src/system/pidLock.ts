import { link, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type LockHolder, lockHolder } from '../schemas/lockHolder.ts';
import { type Clock, wallNow } from './clock.ts';
import type { Ids } from './ids.ts';
import { isSameProcess, startOfProcess } from './processLife.ts';
import { isSameHost, thisHost } from './thisHost.ts';

/** A lock file: held by one process at a time, and free once that process has ended. */
export interface HeldLock {
  release(): Promise<void>;
}

export type LockAttempt =
  | { readonly type: 'held'; readonly lock: HeldLock }
  | { readonly type: 'taken'; readonly by: LockHolder | undefined };

export interface LockFacts {
  readonly file: string;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** A pid of another machine cannot be checked: such a lock expires after this time. */
const FOREIGN_HOLDER_MS = 60 * 60_000;

/**
 * Takes the lock or returns its holder. The file appears with its content in one step (a link to a file written before). A
 * holder that has ended is removed under a second lock: otherwise two processes that both saw the dead holder could remove
 * each other's new lock.
 */
export async function takeLock(facts: LockFacts): Promise<LockAttempt> {
  await mkdir(path.dirname(facts.file), { recursive: true, mode: 0o700 });
  const me = holder(facts);
  const lock = await grab(facts, me);
  if (lock) return lock;
  const before = await readHolder(facts.file);
  if (before && holds(before, wallNow(facts.clock))) return { type: 'taken', by: before };
  const guard = `${facts.file}.takeover`;
  if (!(await create(guard, me))) {
    const other = await readHolder(guard);
    // left by a crash in the lines below; the next attempt succeeds
    if (other && !holds(other, wallNow(facts.clock))) await rm(guard, { force: true });
    return { type: 'taken', by: before };
  }
  try {
    const now = await readLock(facts.file);
    if (now.type === 'holder' && holds(now.holder, wallNow(facts.clock))) return { type: 'taken', by: now.holder };
    // if it was released, there is nothing to remove: the file is now the new lock of another process
    if (now.type !== 'none') await rm(facts.file, { force: true });
    return (await grab(facts, me)) ?? { type: 'taken', by: await readHolder(facts.file) };
  } finally {
    await rm(guard, { force: true });
  }
}

async function grab(facts: LockFacts, me: LockHolder): Promise<LockAttempt | undefined> {
  const { file } = facts;
  if (!(await create(file, me))) return undefined;
  await sweep(facts);
  const release = async () => {
    const now = await readHolder(file);
    if (now?.token === me.token) await rm(file, { force: true });
  };
  return { type: 'held', lock: { release } };
}

/** The file system's clock may differ from ours a little. */
const TORN_AFTER_MS = 60_000;

/** Removes files left by processes that were killed while they took the lock. */
async function sweep({ file, clock }: LockFacts): Promise<void> {
  const folder = path.dirname(file);
  const names = await readdir(folder).catch(() => []);
  const beside = names.filter((name) => name.startsWith(`${path.basename(file)}.`) && OWN_ENDING.test(name));
  for (const name of beside) {
    const left = path.join(folder, name);
    if (await isLeft(left, wallNow(clock))) await rm(left, { force: true });
  }
}

/** A guard, or a file that is about to be linked as a lock or a guard. */
const OWN_ENDING = /\.takeover$|\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function isLeft(file: string, now: number): Promise<boolean> {
  const seen = await readLock(file);
  if (seen.type === 'holder') return !holds(seen.holder, now);
  // torn: its writer was killed, or is writing it now
  const facts = seen.type === 'torn' ? await stat(file).catch(() => undefined) : undefined;
  return facts !== undefined && now - facts.mtimeMs > TORN_AFTER_MS;
}

function holder({ clock, ids }: LockFacts): LockHolder {
  const startedAt = startOfProcess(process.pid);
  return {
    pid: process.pid,
    ...(startedAt === undefined ? {} : { startedAt }),
    host: thisHost(),
    token: ids.uuid(),
    takenAt: wallNow(clock),
  };
}

async function create(file: string, me: LockHolder): Promise<boolean> {
  const beside = `${file}.${me.token}`;
  try {
    await writeFile(beside, JSON.stringify(me), { mode: 0o600 });
    await link(beside, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(beside, { force: true });
  }
}

/** Undefined when there is no file, or no holder in it. */
export async function readHolder(file: string): Promise<LockHolder | undefined> {
  const seen = await readLock(file);
  return seen.type === 'holder' ? seen.holder : undefined;
}

type Seen = { readonly type: 'none' | 'torn' } | { readonly type: 'holder'; readonly holder: LockHolder };

async function readLock(file: string): Promise<Seen> {
  try {
    const holder = lockHolder.safeParse(JSON.parse(await readFile(file, 'utf8'))).data;
    return holder ? { type: 'holder', holder } : { type: 'torn' };
  } catch (error) {
    return { type: (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'none' : 'torn' };
  }
}

function holds({ pid, startedAt, host, takenAt }: LockHolder, now: number): boolean {
  if (!isSameHost(host, thisHost())) return now - takenAt < FOREIGN_HOLDER_MS;
  return isSameProcess(pid, startedAt);
}
