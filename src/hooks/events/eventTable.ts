import type { HookEventName } from '../types.ts';
import type { EventRow } from './eventRow.ts';
import { sessionEvents } from './sessionEvents.ts';
import { systemEvents } from './systemEvents.ts';
import { toolEvents } from './toolEvents.ts';
import { turnEvents } from './turnEvents.ts';

const rows: ReadonlyMap<string, EventRow> = new Map(
  [...turnEvents, ...toolEvents, ...sessionEvents, ...systemEvents].map((row) => [row.name, row]),
);

/** The facts about an event. Every name has a row: a test holds that. */
export function eventFacts(name: HookEventName): EventRow {
  const row = rows.get(name);
  if (row === undefined) throw new Error(`the event ${name} has no row in hooks/events`);
  return row;
}

/** Undefined when there is no such event. */
export function findEvent(name: string): EventRow | undefined {
  return rows.get(name);
}

export function allEvents(): readonly EventRow[] {
  return [...rows.values()];
}
