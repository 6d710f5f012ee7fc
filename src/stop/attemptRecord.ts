import type { LedgerEntry } from '../schemas/ledger.ts';

/** A record about one attempt of a task: its verification, its landing, or the exit code of a plain command. */
export interface AttemptRecord {
  readonly type: 'verification' | 'landing' | 'command';
  readonly taskId: string;
}

const NAME = /^(verify|task)-(.+?)(-landing)?-\d+$/;

/** Null for a session, which may stop again; what an attempt record has is settled, so a waiver would decide nothing. */
export function attemptRecordOf({ session, agent }: Pick<LedgerEntry, 'session' | 'agent'>): AttemptRecord | null {
  const [, kind, taskId, landing] = NAME.exec(session) ?? [];
  if (taskId === undefined) return null;
  if (kind === 'verify' && agent === 'verifier') return { type: landing ? 'landing' : 'verification', taskId };
  return kind === 'task' && agent === 'stopgate' ? { type: 'command', taskId } : null;
}
