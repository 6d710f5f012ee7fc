import { findStorePlace, type PlaceFacts, parseStorePlace, type StorePlace } from '../../../store/storePlace.ts';
import type { Unavailable } from '../../../store/unavailable.ts';
import { UserError } from '../../../system/userError.ts';

/** The store that flag or environment choose; an invalid place is a usage error. */
export function chooseStorePlace(facts: PlaceFacts): StorePlace {
  return usable(findStorePlace(facts));
}

export function readPlace(text: string, cwd: string): StorePlace {
  return usable(parseStorePlace(text, cwd));
}

function usable(place: StorePlace | Unavailable): StorePlace {
  if (place.type === 'unavailable') throw new UserError(place.reason);
  return place;
}
