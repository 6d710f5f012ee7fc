import type { Account } from '../../worker.ts';
import type {
  AccountsOutcome,
  PauseAccountOutcome,
  PauseAccountRequest,
  ResumeAccountOutcome,
} from '../../workerOperationTypes.ts';
import { recordEvent } from '../recordEvent.ts';
import type { Tables } from '../tables.ts';

const PAUSE = `INSERT INTO accounts VALUES (?, ?, ?)
  ON CONFLICT (key) DO UPDATE SET paused_until = excluded.paused_until, source = excluded.source`;

/** A limit is the account's, not the task's: nobody who uses it claims until then. */
export function pauseAccount(tables: Tables, { key, until, source }: PauseAccountRequest): PauseAccountOutcome {
  const asked = 'at' in until ? until.at : tables.now + until.ms;
  const before = pausedUntil(tables, key);
  if (asked <= tables.now || (before !== null && before >= asked)) return { type: 'paused', untilAt: before ?? asked };
  tables.run(PAUSE, key, asked, source);
  recordEvent(tables, 'account.paused', {}, { account: key, pausedUntil: asked, source });
  return { type: 'paused', untilAt: asked };
}

export function resumeAccount(tables: Tables, { key }: { readonly key: string }): ResumeAccountOutcome {
  if (pausedUntil(tables, key) === null) return { type: 'unchanged' };
  tables.run('UPDATE accounts SET paused_until = NULL WHERE key = ?', key);
  recordEvent(tables, 'account.resumed', {}, { account: key, pausedUntil: null });
  return { type: 'resumed' };
}

const ACCOUNTS = `SELECT key, CASE WHEN paused_until > ? THEN paused_until END AS pausedUntil, source FROM accounts`;

export function accounts(tables: Tables): AccountsOutcome {
  const rows = tables.all<Account>(`${ACCOUNTS} ORDER BY key`, tables.now);
  return { type: 'accounts', now: tables.now, accounts: rows.map((row) => ({ ...row })) };
}

function pausedUntil(tables: Tables, key: string): number | null {
  return tables.get<Account>(`${ACCOUNTS} WHERE key = ?`, tables.now, key)?.pausedUntil ?? null;
}
