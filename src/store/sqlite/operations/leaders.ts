import type { LeadOutcome, LeadRequest, ResignOutcome, ResignRequest } from '../../workerOperationTypes.ts';
import { recordEvent } from '../recordEvent.ts';
import type { Tables } from '../tables.ts';

interface Leader {
  readonly holder: string;
  readonly epoch: number;
  readonly untilAt: number;
}

const LEADER = 'SELECT holder, epoch, expires_at AS untilAt FROM leaders WHERE name = ?';
const ELECT = `INSERT INTO leaders VALUES (?, ?, ?, ?) ON CONFLICT (name)
  DO UPDATE SET holder = excluded.holder, epoch = excluded.epoch, expires_at = excluded.expires_at`;

/** Leads, or goes on leading, for a while. A term that ran out is over, also for who had it: the next has a new epoch. */
export function lead(tables: Tables, { name, holder, ttlMs }: LeadRequest): LeadOutcome {
  const leader = tables.get<Leader>(LEADER, name);
  const current = leader && leader.untilAt > tables.now ? leader : undefined;
  if (current && current.holder !== holder) return { type: 'following', ...current };
  const epoch = current?.epoch ?? (leader?.epoch ?? 0) + 1;
  const untilAt = tables.now + ttlMs;
  tables.run(ELECT, name, holder, epoch, untilAt);
  if (!current) recordEvent(tables, 'leader.elected', { actor: holder }, { leader: name, leaderEpoch: epoch });
  return { type: 'leading', epoch, untilAt };
}

export function resign(tables: Tables, { name, holder, epoch }: ResignRequest): ResignOutcome {
  if (!leads(tables, { name, holder, epoch })) return { type: 'unchanged' };
  tables.run('UPDATE leaders SET expires_at = ? WHERE name = ?', tables.now, name);
  recordEvent(tables, 'leader.resigned', { actor: holder }, { leader: name, leaderEpoch: epoch });
  return { type: 'resigned' };
}

export function leads(tables: Tables, { name, holder, epoch }: ResignRequest): boolean {
  const leader = tables.get<Leader>(LEADER, name);
  return leader?.holder === holder && leader.epoch === epoch && leader.untilAt > tables.now;
}
