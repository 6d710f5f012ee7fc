import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { attempt } from '../../system/attempt.ts';
import type { Environment } from '../../system/environment.ts';
import { type PostgresAddress, readAddress, type Server } from '../postgresAddress.ts';
import { type Unavailable, unavailable } from '../unavailable.ts';

interface Tls {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly rejectUnauthorized: boolean;
  readonly checkServerIdentity?: () => undefined;
}

/** How to connect, in the words of the driver. */
export interface Connection {
  /** Without what the driver would send to the server as a setting. */
  readonly url: string;
  readonly ssl: false | 'prefer' | 'require' | Tls;
  readonly password?: string;
  /** Set where the driver does not read the servers from `url`. */
  readonly host?: string[];
  readonly port?: number[];
  /** Of a socket. */
  readonly path?: string;
}

const OWN = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'ssl', 'password', 'passfile', 'host', 'port'];
const MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
type Mode = (typeof MODES)[number];

/** Reads what `psql` would: `sslmode`, certificates and passwords from the address, the environment and `.pgpass`. */
export function connectionOf(address: string, env: Environment): Connection | Unavailable {
  const read = readAddress(address, env);
  if (read === null) return unavailable('unusable', UNREADABLE);
  const { url } = read;
  const setting = (name: string, variable: string) => url.searchParams.get(name) ?? (env[variable] || undefined);
  const asked = askedModes(url.searchParams);
  const modes = asked.length > 0 ? asked : [env.PGSSLMODE || 'prefer'];
  const unknown = modes.find((mode) => !MODES.includes(mode as Mode));
  if (unknown !== undefined)
    return unavailable(
      'unusable',
      `sslmode=${unknown} is not known; use ${MODES.join(', ')} in the address of the store.`,
    );
  const strongest = MODES.findLast((mode) => modes.includes(mode)) ?? 'prefer';
  const files: { ca?: string; cert?: string; key?: string } = {};
  for (const [name, variable, field] of FILES) {
    const file = setting(name, variable);
    if (file === undefined || file === 'system') continue;
    const text = attempt(() => readFileSync(file, 'utf8'), undefined);
    if (text === undefined)
      return unavailable('unreachable', `${name}: the file ${file} cannot be read; check the path.`);
    files[field] = text;
  }
  const isSystem = setting('sslrootcert', 'PGSSLROOTCERT') === 'system';
  const password = passwordOf(read, setting('passfile', 'PGPASSFILE'), env);
  for (const name of OWN) url.searchParams.delete(name);
  return {
    url: url.href,
    ssl: tlsOf(isSystem ? 'verify-full' : strongest, files),
    ...(password !== undefined && { password }),
    ...(read.isSpecial && serverOptions(read.servers)),
  };
}

const UNREADABLE =
  'The address of the store cannot be read; give postgres://USER:PASSWORD@HOST:PORT/DATABASE, with %25 for a percent sign in a name or password.';

/** Other drivers' word for it; `true` is what `psql` makes of it. */
const SSL_WORDS: ReadonlyMap<string, Mode> = new Map([
  ['true', 'require'],
  ['1', 'require'],
  ['no-verify', 'require'],
  ['false', 'disable'],
  ['0', 'disable'],
]);

/** All that the address asks for: the strongest counts. */
const askedModes = (settings: URLSearchParams): readonly string[] => [
  ...settings.getAll('sslmode'),
  ...settings.getAll('ssl').map((word) => SSL_WORDS.get(word) ?? word),
];

function serverOptions(servers: readonly Server[]): Pick<Connection, 'host' | 'port' | 'path'> {
  const [first] = servers;
  const isSocket = first?.host.startsWith('/') === true;
  return {
    host: servers.map(({ host }) => host),
    port: servers.map(({ port }) => port),
    ...(isSocket && { path: `${first.host}/.s.PGSQL.${first.port}` }),
  };
}

const FILES = [
  ['sslrootcert', 'PGSSLROOTCERT', 'ca'],
  ['sslcert', 'PGSSLCERT', 'cert'],
  ['sslkey', 'PGSSLKEY', 'key'],
] as const;

/** With a root certificate, `require` checks it too, as in `psql`. */
function tlsOf(mode: Mode, files: Omit<Tls, 'rejectUnauthorized'>): Connection['ssl'] {
  if (mode === 'disable') return false;
  if (mode === 'verify-full') return { ...files, rejectUnauthorized: true };
  const checksRoot = mode === 'verify-ca' || (mode === 'require' && files.ca !== undefined);
  if (checksRoot) return { ...files, rejectUnauthorized: true, checkServerIdentity: () => undefined };
  if (mode !== 'require') return 'prefer';
  return files.cert === undefined ? 'require' : { ...files, rejectUnauthorized: false };
}

const OTHERS_MAY_READ = 0o077;

function passwordOf(address: PostgresAddress, file: string | undefined, env: Environment): string | undefined {
  const { url, servers, user = '', database } = address;
  const given = address.password || url.searchParams.get('password') || env.PGPASSWORD;
  if (given) return given;
  const place = file ?? path.join(env.HOME || homedir(), '.pgpass');
  // others could have written it: psql ignores such a file too
  if (attempt(() => statSync(place).mode & OTHERS_MAY_READ, 1) !== 0) return undefined;
  const { host = 'localhost', port = 5432 } = servers[0] ?? {};
  return passwordIn(
    attempt(() => readFileSync(place, 'utf8'), ''),
    { host, port, database, user },
  );
}

/** The password for a connection in the text of a `.pgpass` file, by PostgreSQL's own rules: the first line that matches. */
export function passwordIn(
  text: string,
  wanted: { readonly host: string; readonly port: number; readonly database: string; readonly user: string },
): string | undefined {
  const values = [wanted.host, String(wanted.port), wanted.database, wanted.user];
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('#')) continue;
    const fields = fieldsOf(line);
    if (fields.length < 5) continue;
    const password = fields.slice(4).join(':');
    if (values.every((value, at) => fields[at] === '*' || fields[at] === value)) return password;
  }
  return undefined;
}

/** Separated by colons; a backslash keeps the next character. */
function fieldsOf(line: string): readonly string[] {
  return [...`${line}:`.matchAll(/((?:\\.|[^\\:])*):/g)].map(([, field = '']) => field.replaceAll(/\\(.)/g, '$1'));
}
