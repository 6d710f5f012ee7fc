import type { LedgerEntry } from '../../schemas/ledger.ts';
import { folderOf } from '../../stop/ledger.ts';
import { readSession, readSessions } from '../../stop/readLedger.ts';
import { taskSession } from '../../stop/startFile.ts';
import { verificationSession } from '../../stop/verify/verificationRecord.ts';
import type { Attempt } from '../../store/types.ts';
import { systemClock } from '../../system/clock.ts';
import { UserError } from '../../system/userError.ts';
import type { World } from '../../system/world.ts';
import { ambiguous, oneSession, sessionsNamed } from './oneSession.ts';
import { available, storeAheadMs } from './store/openedStore.ts';

interface NamingWorld extends Pick<World, 'cwd' | 'stopgateHome'> {
  /** Where a task may be. */
  readonly store: string | undefined;
}

/** A session by its id, by the task that it worked on, or the latest one of this folder. */
export async function namedSession(wanted: string | undefined, world: NamingWorld): Promise<string> {
  const { stopgateHome, cwd } = world;
  if (wanted === undefined) return latestSession(stopgateHome, cwd);
  if (sessionsNamed(wanted, stopgateHome).length > 0) return oneSession(wanted, stopgateHome);
  return (await sessionOfTask(wanted, world)) ?? oneSession(wanted, stopgateHome);
}

function latestSession(stopgateHome: string, cwd: string): string {
  const folder = folderOf({}, { CLAUDE_PROJECT_DIR: cwd });
  const ended = readSessions(stopgateHome, { folder }).filter((entries) => entries.some(isStop));
  const session = (ended.at(-1) ?? readSessions(stopgateHome, { folder }).at(-1))?.at(-1)?.session;
  if (session === undefined) {
    throw new UserError(
      `No session of ${folder} is on record; \`stopgate status --all\` lists those of other folders.`,
    );
  }
  return session;
}

const isStop = ({ type }: LedgerEntry) => type === 'stop' || type === 'end';

/** The session of the worker that had the task last; null when there is no such task. */
async function sessionOfTask(id: string, { store: flag, stopgateHome }: NamingWorld): Promise<string | null> {
  const { openTaskStoreToRead } = await import('./store/openTaskStore.ts');
  const { thisTaskWorld } = await import('./store/taskWorld.ts');
  await using store = await openTaskStoreToRead(flag, thisTaskWorld()).catch((error: Error) => {
    const why = `No session on record begins with "${id}", and whether a task does is not known: ${error.message}`;
    throw new UserError(why, error instanceof UserError ? error.exitCode : undefined);
  });
  const found = available(await store.task({ id }));
  if (found.type === 'ambiguous') throw ambiguous(id, 'tasks', found.ids);
  if (found.type !== 'found') return null;
  const listed = await store.attempts({ taskId: found.task.id });
  const last = listed.type === 'attempts' ? listed.attempts.at(-1) : undefined;
  if (last === undefined) throw new UserError(`Task ${found.task.id} has not been started, so nothing is on record.`);
  const own = [verificationSession(last), taskSession(last)].find((one) => readSession(stopgateHome, one).length > 0);
  if (own !== undefined) return own;
  const session = sessionDuring(last, await storeAheadMs(store, systemClock), stopgateHome);
  if (session === undefined)
    throw new UserError(
      `Nothing is on record on this machine about task ${found.task.id}, which worker ${last.workerId} had last.`,
    );
  return session;
}

/** A smaller difference of two clocks is the way to the store and back. */
const APART_MS = 2_000;

/** The last session of its worker. The record has times of this machine, the attempt those of the store, which is `aheadMs` ahead. */
function sessionDuring({ workerId, claimedAt, endedAt }: Attempt, aheadMs: number, stopgateHome: string) {
  const apartMs = Math.abs(aheadMs) < APART_MS ? 0 : aheadMs;
  const at = (entry: LedgerEntry | undefined) => Date.parse(entry?.at ?? '') + apartMs;
  const during = readSessions(stopgateHome, { worker: workerId }).filter(
    (entries) => at(entries.at(-1)) >= claimedAt && (endedAt === null || at(entries[0]) <= endedAt),
  );
  return during.at(-1)?.at(-1)?.session;
}
