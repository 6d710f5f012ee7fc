import path from 'node:path';
import type { Environment } from '../system/environment.ts';
import { placeOf, readAddress } from './postgresAddress.ts';
import { type StorePlace, showStorePlace } from './storePlace.ts';

/** Where a store is, without user and password: what `about` returns, for a process that cannot reach it. */
export function storeLocation(place: StorePlace, env: Environment = process.env): string {
  if (place.type === 'sqlite') return place.path === ':memory:' ? place.path : path.resolve(place.path);
  const address = readAddress(place.url, env);
  // no store opens there: only its name has to differ from that of others
  if (address === null) return showStorePlace(place);
  return postgresLocation(placeOf(address.servers, address.database));
}

export function postgresLocation(at: { readonly host: string; readonly port: number; readonly database: string }) {
  return `postgres://${at.host}:${at.port}/${at.database}`;
}
