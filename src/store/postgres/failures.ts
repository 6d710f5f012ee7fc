import type { Sql } from 'postgres';
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
  if (code === 'SG001' && error instanceof Error)
    return unavailable('moved', `The tasks of ${nameOf(place)} have moved to ${error.message}; use that store.`);
  const problem = PROBLEMS.find(([, codes]) => codes.includes(code));
  if (problem === undefined) throw error;
  const [cause, , reason] = problem;
  return unavailable(cause, reason(`${place.host}:${place.port}`, place.database));
}

/** A deadlock, or two transactions that inserted the same row: nothing was done, and a retry works. */
export function isRetriable(error: unknown): boolean {
  return ['40P01', '40001', '23505', CALL_AGAIN].includes(codeOf(error));
}

export function nameOf({ host, port, database }: PostgresPlace): string {
  return `postgres://${host}:${port}/${database}`;
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
