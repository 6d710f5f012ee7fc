import type { Environment } from '../system/environment.ts';

/** A server, or the folder of its socket. */
export interface Server {
  readonly host: string;
  readonly port: number;
}

export interface PostgresAddress {
  /** With the first server alone: `URL` knows no more. */
  readonly url: URL;
  readonly servers: readonly Server[];
  /** Whether the driver would read other servers from `url`. */
  readonly isSpecial: boolean;
  readonly user: string | undefined;
  readonly password: string;
  readonly database: string;
}

const PARTS = /^([a-z]+:\/\/)(?:([^/?#]*)@)?([^/?#]*)(.*)$/is;
const USUAL_PORT = 5432;
const HIGHEST_PORT = 65_535;

/** Reads what `psql` would: several `host:port`, and `host` and `port` among the settings. Null when it cannot be read. */
export function readAddress(address: string, env: Environment): PostgresAddress | null {
  const [, scheme, login, authority = '', rest = ''] = PARTS.exec(address) ?? [];
  if (scheme === undefined) return null;
  const written = authority.split(',');
  const url = URL.parse(`${scheme}${login === undefined || !written[0] ? '' : `${login}@`}${written[0]}${rest}`);
  const [user, password] = [/^[^:]*/, /(?<=:).*$/s].map((part) => decoded(part.exec(login ?? '')?.[0] ?? ''));
  if (url === null || user === undefined || password === undefined) return null;
  const servers = serversOf(url, authority, env);
  if (servers === null) return null;
  const name = user || env.PGUSERNAME || env.PGUSER || env.USER;
  const isSpecial = servers.length > 1 || url.searchParams.has('host') || /[[%]/.test(authority);
  const database = url.pathname.slice(1) || env.PGDATABASE || name || '';
  return { url, servers, isSpecial, user: name, password, database };
}

function serversOf({ searchParams }: URL, authority: string, env: Environment): readonly Server[] | null {
  const ports = (searchParams.get('port') ?? (env.PGPORT || '')).split(',');
  const hosts = (searchParams.get('host') || authority || env.PGHOST || 'localhost').split(',');
  const servers = hosts.map((text, index) => serverOf(text, ports[index] ?? ports[0] ?? ''));
  return servers.every((one) => one !== null) ? servers : null;
}

function serverOf(text: string, usualPort: string): Server | null {
  const [, inBrackets, plain, ownPort] = /^(?:\[([^\]]*)\]|([^:]*))(?::(.*))?$/s.exec(text) ?? [];
  const host = decoded(inBrackets ?? plain ?? '');
  const port = Number(ownPort || usualPort || USUAL_PORT);
  if (host === undefined || !Number.isInteger(port) || port < 1 || port > HIGHEST_PORT) return null;
  return { host: host || 'localhost', port };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Several servers of one store are one place. */
export function placeOf(servers: readonly Server[], database: string) {
  const names = servers.map(({ host, port }) => ({ host: host.includes(':') ? `[${host}]` : host, port }));
  const before = names.slice(0, -1).map(({ host, port }) => `${host}:${port},`);
  const last = names.at(-1) ?? { host: 'localhost', port: USUAL_PORT };
  return { host: `${before.join('')}${last.host}`, port: last.port, database };
}
