import type { EventRow } from '../../../hooks/events/eventRow.ts';
import { allEvents, findEvent } from '../../../hooks/events/eventTable.ts';
import { nearestName } from '../../../system/nearestName.ts';
import { UserError } from '../../../system/userError.ts';

/** The event that a person named; a sentence with the nearest name when there is none. */
export function requireEvent(name: string): EventRow {
  const row = findEvent(name);
  if (row !== undefined) return row;
  const names = allEvents().map((event) => event.name);
  const begun = names.find((known) => name.length > 2 && known.toLowerCase().startsWith(name.toLowerCase()));
  const nearest = begun ?? nearestName(name, names);
  const hint = nearest === undefined ? 'stopgate hooks list --all shows them' : `did you mean ${nearest}?`;
  throw new UserError(`There is no event '${name}'; ${hint}${hint.endsWith('?') ? '' : '.'}`);
}
