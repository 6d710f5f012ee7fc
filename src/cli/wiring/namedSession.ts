import type { LedgerEntry } from '../../schemas/ledger.ts';
import { folderOf } from '../../stop/ledger.ts';
import { readSession, readSessions } from '../../stop/readLedger.ts';
import { verificationSession } from '../../stop/verify/verificationRecord.ts';
import { UserError } from '../../system/userError.ts';
import type { World } from '../../system/world.ts';
import { ambiguous, oneSession, sessionsNamed } from './oneSession.ts';

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
  const opened = await openTaskStoreToRead(flag, thisTaskWorld()).catch(() => null);
  if (opened === null) return null;
  await using store = opened;
  const found = await store.task({ id });
  if (found.type === 'ambiguous') throw ambiguous(id, 'tasks', found.ids);
  if (found.type !== 'found') return null;
  const listed = await store.attempts({ taskId: found.task.id });
  const last = listed.type === 'attempts' ? listed.attempts.at(-1) : undefined;
  if (last === undefined) throw new UserError(`Task ${found.task.id} has not been started, so nothing is on record.`);
  const verification = verificationSession(last);
  if (readSession(stopgateHome, verification).length > 0) return verification;
  const { workerId, claimedAt, endedAt } = last;
  const sessions = readSessions(stopgateHome, { worker: workerId, since: claimedAt });
  const during = sessions.filter(([first]) => endedAt === null || (first && Date.parse(first.at) <= endedAt));
  const session = during.at(-1)?.at(-1)?.session;
  if (session === undefined)
    throw new UserError(
      `Nothing is on record on this machine about task ${found.task.id}, which worker ${workerId} had last.`,
    );
  return session;
}
