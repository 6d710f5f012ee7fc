import type { Sql } from 'postgres';
import { ownValue } from '../../system/ownValue.ts';
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
  readonly cause: UnavailableCause;
  readonly reason: (place: PostgresPlace) => string;
}

const at = ({ host, port }: PostgresPlace) => `${host}:${port}`;
const noServer: Problem = {
  cause: 'unreachable',
  reason: (place) => `There is no PostgreSQL at ${at(place)}; check the address and that the server runs.`,
};
const gone: Problem = {
  cause: 'unreachable',
  reason: (place) => `The connection to PostgreSQL at ${at(place)} was lost; try again.`,
};
const notReady: Problem = {
  cause: 'unreachable',
  reason: (place) => `PostgreSQL at ${at(place)} is starting or stopping; try again.`,
};
const noAccess: Problem = {
  cause: 'unreachable',
  reason: (place) => `PostgreSQL at ${at(place)} refuses this user or password; check the address of the store.`,
};
const full: Problem = {
  cause: 'diskFull',
  reason: (place) => `PostgreSQL at ${at(place)} has no space left; free some.`,
};

const busy: Problem = { cause: 'busy', reason: (place) => `PostgreSQL at ${at(place)} is busy; try again.` };

const BY_CODE: Readonly<Record<string, Problem>> = {
  ECONNREFUSED: noServer,
  ENOTFOUND: noServer,
  EAI_AGAIN: noServer,
  EHOSTUNREACH: noServer,
  ENETUNREACH: noServer,
  ETIMEDOUT: noServer,
  ENOENT: noServer,
  CONNECT_TIMEOUT: noServer,
  ECONNRESET: gone,
  EPIPE: gone,
  CONNECTION_CLOSED: gone,
  NO_ANSWER: gone,
  '08006': gone,
  '57P01': gone,
  '57P02': notReady,
  '57P03': notReady,
  '28P01': noAccess,
  '28000': noAccess,
  '3D000': {
    cause: 'unreachable',
    reason: (place) => `PostgreSQL at ${at(place)} has no database ${place.database}; create it with createdb.`,
  },
  '42501': {
    cause: 'unreachable',
    reason: (place) =>
      `This user may not use the store in database ${place.database} at ${at(place)}; grant it access.`,
  },
  '25006': {
    cause: 'unreachable',
    reason: (place) => `PostgreSQL at ${at(place)} is read-only; use its primary server.`,
  },
  '53100': full,
  '53200': full,
  '53300': { cause: 'busy', reason: (place) => `PostgreSQL at ${at(place)} has no connection left; try again.` },
  '55P03': busy,
  '40P01': busy,
  '40001': busy,
  [CALL_AGAIN]: busy,
};

export function unavailableBecause(error: unknown, place: PostgresPlace): Unavailable | undefined {
  const code = codeOf(error);
  if (code === 'CONNECTION_ENDED' || code === 'CONNECTION_DESTROYED') {
    return { type: 'unavailable', cause: 'closed', reason: `The store at ${at(place)} is closed.` };
  }
  if (code === 'SG001' && error instanceof Error) {
    const reason = `The tasks of ${nameOf(place)} have moved to ${error.message}; use that store.`;
    return { type: 'unavailable', cause: 'moved', reason };
  }
  const known = ownValue(BY_CODE, code);
  return known && { type: 'unavailable', cause: known.cause, reason: known.reason(place) };
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
