import path from 'node:path';
import { UserError } from '../../../system/userError.ts';

/** Where tasks are kept. */
export type StorePlace =
  | { readonly type: 'sqlite'; readonly path: string; readonly isDefault: boolean }
  | { readonly type: 'postgres'; readonly url: string };

export interface PlaceFacts {
  /** `--store`. */
  readonly flag?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stopgateHome: string;
  readonly cwd: string;
}

/** The flag, else `STOPGATE_STORE`, else the person's own store. */
export function chooseStorePlace({ flag, env, stopgateHome, cwd }: PlaceFacts): StorePlace {
  const said = flag ?? (env.STOPGATE_STORE || undefined);
  if (said === undefined) return { type: 'sqlite', path: path.join(stopgateHome, 'stopgate.db'), isDefault: true };
  return readPlace(said, cwd);
}

export function readPlace(said: string, cwd: string): StorePlace {
  if (said.trim() === '') throw new UserError('--store is empty; give a file or postgres://HOST/DATABASE.');
  if (/^postgres(ql)?:\/\//i.test(said)) return { type: 'postgres', url: said };
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(said)) {
    throw new UserError(`'${said.split('://')[0]}://' is no kind of store; give a file or postgres://HOST/DATABASE.`);
  }
  return { type: 'sqlite', path: path.resolve(cwd, said), isDefault: false };
}

const SECRET_SETTINGS = ['password', 'sslpassword'];

/** The place as it may be shown and written down: without passwords. */
export function placeInWords(place: StorePlace): string {
  if (place.type === 'sqlite') return place.path;
  const url = URL.parse(place.url);
  if (url === null) return 'postgres://…';
  url.password = '';
  for (const name of SECRET_SETTINGS) url.searchParams.delete(name);
  return url.href;
}
