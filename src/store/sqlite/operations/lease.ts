import type { OtherLease } from '../../outcomes.ts';
import { FLEET_LEADER, MANUAL_KIND } from '../../worker.ts';
import { recordEvent } from '../recordEvent.ts';
import { putSetting, setting } from '../settings.ts';
import type { Operation, Tables } from '../tables.ts';

const NAME = 'leaseMs';

export function recordedLease(tables: Tables): number | null {
  const recorded = setting(tables, NAME);
  return recorded === undefined ? null : Number(recorded);
}

/**
 * The first worker or coordinator that names a lease decides it for the store; one with another is refused. Undefined: they agree,
 * or the caller has no lease, such as a person's shell.
 */
export function otherLease(tables: Tables, leaseMs: number | undefined): OtherLease | undefined {
  if (leaseMs === undefined) return undefined;
  const recorded = recordedLease(tables);
  if (recorded === null) putSetting(tables, NAME, String(leaseMs));
  return recorded === null || recorded === leaseMs ? undefined : { type: 'otherLease', leaseMs: recorded };
}

const WORKERS = `SELECT id FROM workers WHERE kind <> '${MANUAL_KIND}' AND (state = 'live' OR state = 'draining'
  OR (state = 'launching' AND launch_until > ?)) ORDER BY id`;
const COORDINATORS = `SELECT name FROM leaders WHERE name LIKE '${FLEET_LEADER}%' AND expires_at > ? ORDER BY name`;

/** Not while a worker or coordinator works by the old one. */
export const setLease: Operation<'setLease'> = (tables, { leaseMs, actor }) => {
  const before = recordedLease(tables);
  if (before === leaseMs) return { type: 'unchanged' };
  const { now } = tables;
  const workers = tables.all<{ id: string }>(WORKERS, now).map(({ id }) => id);
  const leaders = tables.all<{ name: string }>(COORDINATORS, now);
  const fleets = leaders.map(({ name }) => name.slice(FLEET_LEADER.length));
  if (workers.length + fleets.length > 0) return { type: 'refused', leaseMs: before, workers, fleets };
  putSetting(tables, NAME, String(leaseMs));
  recordEvent(tables, 'store.leaseSet', { actor }, { leaseMs });
  return { type: 'changed' };
};
