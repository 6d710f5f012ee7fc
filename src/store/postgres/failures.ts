import type { Sql } from 'postgres';
import { postgresLocation } from '../storeLocation.ts';
import { type Unavailable, type UnavailableCause, unavailable } from '../unavailable.ts';

/** Raised by a short function for an unusual case or a possible deadlock. Nothing was done; the full function handles the request. */
const CALL_AGAIN = 'SG003';

/** Where a store is, without user and password. */
export interface PostgresPlace {
  readonly host: string;
  readonly port: number;
  readonly database: string;
}

/** What each part of a store over a database needs. */
export interface PostgresContext {
  readonly sql: Sql;
  readonly schema: string;
  readonly place: PostgresPlace;
}

const NO_NETWORK = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'ENOENT'];
const LOST = ['ECONNRESET', 'EPIPE', 'CONNECTION_CLOSED', 'NO_ANSWER', '08006', '57P01'];

type Reason = (at: string, database: string) => string;

const PROBLEMS: readonly (readonly [cause: UnavailableCause, codes: readonly string[], reason: Reason])[] = [
  [
    'unreachable',
    [...NO_NETWORK, 'CONNECT_TIMEOUT'],
    (at) => `There is no PostgreSQL at ${at}; check the address and that the server runs.`,
  ],
  ['unreachable', LOST, (at) => `The connection to PostgreSQL at ${at} was lost; try again.`],
  ['unreachable', ['57P02', '57P03'], (at) => `PostgreSQL at ${at} is starting or stopping; try again.`],
  [
    'unreachable',
    ['28P01', '28000'],
    (at) => `PostgreSQL at ${at} refuses this user or password; check the address of the store.`,
  ],
  ['unreachable', ['3D000'], (at, name) => `PostgreSQL at ${at} has no database ${name}; create it with createdb.`],
  [
    'unreachable',
    ['42501'],
    (at, name) => `This user may not use the store in database ${name} at ${at}; grant it access.`,
  ],
  ['unreachable', ['25006'], (at) => `PostgreSQL at ${at} is read-only; use its primary server.`],
  ['diskFull', ['53100', '53200'], (at) => `PostgreSQL at ${at} has no space left; free some.`],
  ['busy', ['53300'], (at) => `PostgreSQL at ${at} has no connection left; try again.`],
  ['busy', ['55P03', '40P01', '40001', CALL_AGAIN], (at) => `PostgreSQL at ${at} is busy; try again.`],
  ['closed', ['CONNECTION_ENDED', 'CONNECTION_DESTROYED'], (at) => `The store at ${at} is closed.`],
];

/** The outcome for an error of PostgreSQL; throws an error that is a bug. */
export function unavailableBecause(error: unknown, place: PostgresPlace): Unavailable {
  const code = codeOf(error);
  if (code === 'SG001' && error instanceof Error) {
    const reason = `The tasks of ${nameOf(place)} have moved to ${error.message}; use that store.`;
    return { ...unavailable('moved', reason), movedTo: error.message };
  }
  const tls = tlsProblem(error, code, `${place.host}:${place.port}`);
  if (tls !== null) return unavailable('unreachable', tls);
  const problem = PROBLEMS.find(([, codes]) => codes.includes(code));
  if (problem === undefined) throw error;
  const [cause, , reason] = problem;
  return unavailable(cause, reason(`${place.host}:${place.port}`, place.database));
}

const TLS_CODES = /^(ERR_(SSL|TLS)_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|EPROTO)/;

/** The server and this process do not agree on encryption, or on a certificate; null for another error. */
function tlsProblem(error: unknown, code: string, at: string): string | null {
  const message = error instanceof Error ? error.message : '';
  if (code === '28000' && /no encryption|SSL off/.test(message))
    return `PostgreSQL at ${at} accepts only encrypted connections of this user; use sslmode=require in the address of the store.`;
  if (code === 'ECONNRESET' && /before secure TLS connection/.test(message))
    return `PostgreSQL at ${at} does not offer TLS, which sslmode demands; use sslmode=prefer, or set it up there.`;
  if (!TLS_CODES.test(code)) return null;
  return `The TLS connection to PostgreSQL at ${at} failed (${code}: ${message.split('\n')[0]}); check sslmode and sslrootcert in the address of the store.`;
}

/** A deadlock, or two transactions that inserted the same row: nothing was done, and a retry works. */
export function isRetriable(error: unknown): boolean {
  return ['40P01', '40001', '23505', CALL_AGAIN].includes(codeOf(error));
}

export const nameOf = (place: PostgresPlace): string => postgresLocation(place);

function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
