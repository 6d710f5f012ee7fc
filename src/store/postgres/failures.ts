import type { Sql } from 'postgres';
import type { Unavailable, UnavailableCause } from '../unavailable.ts';

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

interface Problem {
  readonly codes: readonly string[];
  readonly cause: UnavailableCause;
  readonly reason: (at: string, database: string) => string;
}

const NO_NETWORK = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'ENOENT'];

const PROBLEMS: readonly Problem[] = [
  {
    codes: [...NO_NETWORK, 'CONNECT_TIMEOUT'],
    cause: 'unreachable',
    reason: (at) => `There is no PostgreSQL at ${at}; check the address and that the server runs.`,
  },
  {
    codes: ['ECONNRESET', 'EPIPE', 'CONNECTION_CLOSED', 'NO_ANSWER', '08006', '57P01'],
    cause: 'unreachable',
    reason: (at) => `The connection to PostgreSQL at ${at} was lost; try again.`,
  },
  {
    codes: ['57P02', '57P03'],
    cause: 'unreachable',
    reason: (at) => `PostgreSQL at ${at} is starting or stopping; try again.`,
  },
  {
    codes: ['28P01', '28000'],
    cause: 'unreachable',
    reason: (at) => `PostgreSQL at ${at} refuses this user or password; check the address of the store.`,
  },
  {
    codes: ['3D000'],
    cause: 'unreachable',
    reason: (at, database) => `PostgreSQL at ${at} has no database ${database}; create it with createdb.`,
  },
  {
    codes: ['42501'],
    cause: 'unreachable',
    reason: (at, database) => `This user may not use the store in database ${database} at ${at}; grant it access.`,
  },
  {
    codes: ['25006'],
    cause: 'unreachable',
    reason: (at) => `PostgreSQL at ${at} is read-only; use its primary server.`,
  },
  { codes: ['53100', '53200'], cause: 'diskFull', reason: (at) => `PostgreSQL at ${at} has no space left; free some.` },
  { codes: ['53300'], cause: 'busy', reason: (at) => `PostgreSQL at ${at} has no connection left; try again.` },
  {
    codes: ['55P03', '40P01', '40001', CALL_AGAIN],
    cause: 'busy',
    reason: (at) => `PostgreSQL at ${at} is busy; try again.`,
  },
  {
    codes: ['CONNECTION_ENDED', 'CONNECTION_DESTROYED'],
    cause: 'closed',
    reason: (at) => `The store at ${at} is closed.`,
  },
];

export function unavailableBecause(error: unknown, place: PostgresPlace): Unavailable | undefined {
  const code = codeOf(error);
  if (code === 'SG001' && error instanceof Error) {
    const reason = `The tasks of ${nameOf(place)} have moved to ${error.message}; use that store.`;
    return { type: 'unavailable', cause: 'moved', reason };
  }
  const known = PROBLEMS.find(({ codes }) => codes.includes(code));
  if (!known) return undefined;
  const reason = known.reason(`${place.host}:${place.port}`, place.database);
  return { type: 'unavailable', cause: known.cause, reason };
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
