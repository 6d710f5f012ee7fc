import type { Requests } from '../../requests.ts';
import type { Account } from '../../worker.ts';
import { recordEvent } from '../recordEvent.ts';
import type { Operation, Tables } from '../tables.ts';
import { otherLease } from './lease.ts';

const PAUSE = `INSERT INTO accounts VALUES (?, ?, ?)
  ON CONFLICT (key) DO UPDATE SET paused_until = excluded.paused_until, source = excluded.source`;

/** A limit belongs to the account, not to the task: no worker that uses it claims until then. */
export const pauseAccount: Operation<'pauseAccount'> = (tables, { key, until, source }) => {
  const newUntil = 'at' in until ? until.at : tables.now + until.ms;
  const before = pausedUntil(tables, key);
  if (newUntil <= tables.now || (before !== null && before >= newUntil))
    return { type: 'paused', untilAt: before ?? newUntil };
  tables.run(PAUSE, key, newUntil, source);
  recordEvent(tables, 'account.paused', {}, { account: key, pausedUntil: newUntil, source });
  return { type: 'paused', untilAt: newUntil };
};

export const resumeAccount: Operation<'resumeAccount'> = (tables, { key }) => {
  if (pausedUntil(tables, key) === null) return { type: 'unchanged' };
  tables.run('UPDATE accounts SET paused_until = NULL WHERE key = ?', key);
  recordEvent(tables, 'account.resumed', {}, { account: key, pausedUntil: null });
  return { type: 'resumed' };
};

const ACCOUNTS = `SELECT key, CASE WHEN paused_until > ? THEN paused_until END AS paused_until, source FROM accounts`;

export const accounts: Operation<'accounts'> = (tables) => {
  const { now } = tables;
  return { type: 'accounts', now, accounts: tables.all<Account>(`${ACCOUNTS} ORDER BY key`, now) };
};

function pausedUntil(tables: Tables, key: string): number | null {
  return tables.get<Account>(`${ACCOUNTS} WHERE key = ?`, tables.now, key)?.pausedUntil ?? null;
}

interface Leader {
  readonly holder: string;
  readonly epoch: number;
  readonly untilAt: number;
}

const LEADER = 'SELECT holder, epoch, expires_at AS until_at FROM leaders WHERE name = ?';
const ELECT = `INSERT INTO leaders VALUES (?, ?, ?, ?) ON CONFLICT (name)
  DO UPDATE SET holder = excluded.holder, epoch = excluded.epoch, expires_at = excluded.expires_at`;

/** Leads, or continues to lead, for one term. An expired term is over, also for its holder: the next has a new epoch. */
export const lead: Operation<'lead'> = (tables, { name, holder, ttlMs, leaseMs }) => {
  const other = otherLease(tables, leaseMs);
  if (other) return other;
  const leader = tables.get<Leader>(LEADER, name);
  const current = leader && leader.untilAt > tables.now ? leader : undefined;
  if (current && current.holder !== holder) return { type: 'following', ...current };
  const epoch = current?.epoch ?? (leader?.epoch ?? 0) + 1;
  const untilAt = tables.now + ttlMs;
  tables.run(ELECT, name, holder, epoch, untilAt);
  if (!current) recordEvent(tables, 'leader.elected', { actor: holder }, { leader: name, leaderEpoch: epoch });
  return { type: 'leading', epoch, untilAt };
};

export const resign: Operation<'resign'> = (tables, { name, holder, epoch }) => {
  if (!leads(tables, { name, holder, epoch })) return { type: 'unchanged' };
  tables.run('UPDATE leaders SET expires_at = ? WHERE name = ?', tables.now, name);
  recordEvent(tables, 'leader.resigned', { actor: holder }, { leader: name, leaderEpoch: epoch });
  return { type: 'resigned' };
};

export function leads(tables: Tables, { name, holder, epoch }: Requests['resign']): boolean {
  const leader = tables.get<Leader>(LEADER, name);
  return leader?.holder === holder && leader.epoch === epoch && leader.untilAt > tables.now;
}
