import path from 'node:path';
import { folderOrItsPlace } from '../system/currentFolder.ts';
import { type Unavailable, unavailable } from './unavailable.ts';

/** Where tasks are stored. */
export type StorePlace =
  /** `:memory:` is a store that ends with the process. */
  | { readonly type: 'sqlite'; readonly path: string; readonly isDefault: boolean }
  | { readonly type: 'postgres'; readonly url: string };

export interface PlaceFacts {
  /** `--store`. */
  readonly flag?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stopgateHome: string;
  readonly cwd?: string;
}

/** The flag, else `STOPGATE_STORE`, else the user's own store. */
export function findStorePlace({ flag, env, stopgateHome, cwd }: PlaceFacts): StorePlace | Unavailable {
  const given = flag ?? (env.STOPGATE_STORE || undefined);
  if (given === undefined) return { type: 'sqlite', path: path.join(stopgateHome, 'stopgate.db'), isDefault: true };
  return parseStorePlace(given, cwd);
}

const EXPECTED = 'give a file or postgres://HOST/DATABASE';

export function parseStorePlace(text: string, cwd = folderOrItsPlace(process.env)): StorePlace | Unavailable {
  if (text.trim() === '') return unavailable('unusable', `The place of the store is empty; ${EXPECTED}.`);
  if (/^postgres(ql)?:\/\//i.test(text)) return { type: 'postgres', url: text };
  // a mistyped address, whose password must not be repeated as the name of a file
  const scheme = /^(?:[a-z][a-z0-9+.-]*:\/\/|postgres\w*:)/i.exec(text)?.[0];
  if (scheme !== undefined) return unavailable('unusable', `"${scheme}" is not a kind of store; ${EXPECTED}.`);
  return { type: 'sqlite', path: text === ':memory:' ? text : path.resolve(cwd, text), isDefault: false };
}

/** The text for `STOPGATE_STORE` of another process. */
export function placeText(place: StorePlace): string {
  return place.type === 'sqlite' ? place.path : place.url;
}

const SECRET_SETTINGS = ['password', 'sslpassword'];

/** The place without passwords, to be printed and stored. */
export function showStorePlace(place: StorePlace): string {
  if (place.type === 'sqlite') return place.path;
  const url = URL.parse(place.url);
  if (url === null) return 'postgres://…';
  url.password = '';
  for (const name of SECRET_SETTINGS) url.searchParams.delete(name);
  return url.href;
}
