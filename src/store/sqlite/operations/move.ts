import type { Outcomes } from '../../outcomes.ts';
import { SCHEMA_VERSION } from '../migrations.ts';
import { recordEvent } from '../recordEvent.ts';
import { putSetting, setting } from '../settings.ts';
import type { Tables } from '../tables.ts';
import { recordedLease } from './lease.ts';

interface Meta {
  readonly generation: number;
  readonly movedTo: string | null;
}

const META = 'SELECT generation, moved_to FROM meta';

export function movedTo(tables: Tables): string | null {
  return tables.get<Meta>(META)?.movedTo ?? null;
}

const FORMER = 'movedFrom';
const formerLocations = (tables: Tables) => setting(tables, FORMER)?.split('\n') ?? [];

/** `from`: its own location. It moves along, so that the new store knows the records that machines keep for the old one. */
export function startMove(
  tables: Tables,
  { to, from }: { readonly to: string; readonly from: string },
): { readonly type: 'moving' } {
  tables.run('UPDATE meta SET moved_to = ?', to);
  putSetting(tables, FORMER, [...formerLocations(tables), from].join('\n'));
  recordEvent(tables, 'store.moved', {}, { to });
  return { type: 'moving' };
}

export function cancelMove(tables: Tables): { readonly type: 'cancelled' | 'unchanged' } {
  if (movedTo(tables) === null) return { type: 'unchanged' };
  tables.run('UPDATE meta SET moved_to = NULL');
  recordEvent(tables, 'store.moveCancelled', {});
  return { type: 'cancelled' };
}

/** The store adds its location. */
export function about(tables: Tables): Omit<Outcomes['about'], 'kind' | 'location'> {
  const { generation = 1, movedTo: to = null } = tables.get<Meta>(META) ?? {};
  const leaseMs = recordedLease(tables);
  const movedFrom = formerLocations(tables);
  return { type: 'about', now: tables.now, schemaVersion: SCHEMA_VERSION, generation, movedTo: to, movedFrom, leaseMs };
}
