import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { type Clock, systemClock } from '../../system/clock.ts';
import { storeOver } from '../operationsOver.ts';
import { placeOf } from '../postgresAddress.ts';
import { describeAge } from '../schemaVersions.ts';
import type { Store } from '../types.ts';
import { type Unavailable, unavailable } from '../unavailable.ts';
import { fullCallOf, shortCallOf } from './calls.ts';
import { outcomeOf } from './claimedOf.ts';
import { connectionOf } from './connection.ts';
import { exportRows, importRows } from './exportRows.ts';
import { isRetriable, nameOf, type PostgresContext, unavailableBecause } from './failures.ts';
import { inSchema, migrate, SCHEMA_VERSION } from './migrations.ts';
import { type AnswerWatch, answeredRows, watchAnswers } from './watchAnswers.ts';

export interface PostgresOptions {
  readonly url: string;
  /** Several stores can share a database. */
  readonly schema?: string;
  /** The maximum; further operations wait. */
  readonly connections?: number;
  /** Only for waiting: decisions use the server's clock. */
  readonly clock?: Clock;
  readonly random?: () => number;
}

const CONNECT_SECONDS = 10;
/** Between two connection attempts; the driver's own delay grows to 20 s, and the caller would wait as long. */
const RETRY_SECONDS = 0.25;
/** After the driver's own report, where it has one. */
const SERVERS_WITHIN_MS = 12_000;
const CLOSE_SECONDS = 5;
/** Longer than any operation takes, and shorter than any caller waits. */
const ANSWER_WITHIN_MS = 30_000;
const MOST_TRIES = 10;
/** Operations that may requeue a task with a random delay. */
const BY_CHANCE: ReadonlySet<string> = new Set(['fail', 'release', 'reap', 'settleVerification']);

/** Operations that may claim a task. */
const CLAIMING: ReadonlySet<string> = new Set(['claim', 'complete']);

/** Enough for one process: its operations share connections. A waiting process has one more, which listens. */
const DEFAULT_CONNECTIONS = 2;
const MOST_CONNECTIONS = 100;

/** `STOPGATE_STORE_CONNECTIONS`: the most connections of one process, beside the one that listens. */
function connectionLimit({ STOPGATE_STORE_CONNECTIONS: text }: Readonly<Record<string, string | undefined>>) {
  const limit = Number(text || Number.NaN);
  return Number.isInteger(limit) && limit >= 1 && limit <= MOST_CONNECTIONS ? limit : undefined;
}

/** The driver is loaded only here: most stores are files. */
export async function openPostgresStore(options: PostgresOptions): Promise<Store | Unavailable> {
  const { schema = 'stopgate', connections = DEFAULT_CONNECTIONS } = options;
  const connection = connectionOf(options.url, process.env);
  if ('type' in connection) return connection;
  const { url, host: hosts, port: ports, ...secured } = connection;
  const { default: postgres } = await import('postgres');
  const sql = postgres(url, {
    ...secured,
    // the driver takes lists of servers, which its types leave out
    ...({ host: hosts, port: ports } as object),
    max: connectionLimit(process.env) ?? connections,
    connect_timeout: CONNECT_SECONDS,
    backoff: () => RETRY_SECONDS * (0.5 + Math.random()),
    fetch_types: false,
    onnotice: () => {},
    connection: { application_name: 'stopgate' },
  });
  const { host, port, database } = sql.options;
  const context = { sql, schema, place: placeOf(serversIn(host, port), database) };
  const problem = (host.length > 1 ? await whyNoServer(context) : undefined) ?? (await prepare(context));
  if (!problem) return postgresStore(context, options);
  await sql.end({ timeout: 0 });
  return problem;
}

const serversIn = (hosts: readonly string[], ports: readonly number[]) =>
  hosts.map((host, index) => ({ host, port: Number(ports[index] ?? ports[0]) }));

/** With several servers the driver goes on from one to the next without an end, whatever each of them answers. */
async function whyNoServer({ sql, place }: PostgresContext): Promise<Unavailable | undefined> {
  const over = new AbortController();
  const late = sleep(SERVERS_WITHIN_MS, 'late' as const, { signal: over.signal }).catch(() => 'late' as const);
  const connected = sql`SELECT 1`.then(
    () => undefined,
    (error: unknown) => unavailableBecause(error, place),
  );
  const first = await Promise.race([connected, late]);
  over.abort();
  if (first !== 'late') return first;
  connected.catch(() => {});
  return unavailable(
    'unreachable',
    `No server of ${nameOf(place)} accepted a connection within ${SERVERS_WITHIN_MS / 1000} s; check the address, the servers and sslmode.`,
  );
}

async function prepare({ sql, schema, place }: PostgresContext): Promise<Unavailable | undefined> {
  try {
    const age = await migrate(sql, schema);
    if (age === 'usable') return undefined;
    return { type: 'unavailable', cause: 'unusable', reason: describeAge(age, nameOf(place), SCHEMA_VERSION) };
  } catch (error) {
    return unavailableBecause(error, place);
  }
}

function postgresStore(context: PostgresContext, options: PostgresOptions): Store {
  const { sql, place } = context;
  const { clock = systemClock, random = Math.random } = options;
  const answers = watchAnswers(ANSWER_WITHIN_MS);
  const perform = performerOn(context, answers);
  return storeOver({
    about: { kind: 'postgres', location: nameOf(place) },
    clock,
    // random numbers are drawn here, unlike times: other processes need not agree on them
    perform: (operation, request) =>
      perform(operation, BY_CHANCE.has(operation) ? { ...request, jitter: random() } : request),
    changed: watchHints(context, clock),
    exportAll: () => exportRows(context),
    importAll: (rows) => importRows(context, rows),
    close: async () => {
      await sql.end({ timeout: CLOSE_SECONDS });
      answers[Symbol.dispose]();
    },
  });
}

/** One operation is one call of a function in the database: one round trip, one transaction. */
function performerOn(
  { sql, schema, place }: PostgresContext,
  answers: AnswerWatch,
): (operation: string, request: object) => Promise<object> {
  const statements = new Map<string, string>();
  const countClaim = keepReadyShort(sql, schema);
  const statementOf = (text: string): string => {
    const known = statements.get(text);
    if (known) return known;
    const statement = inSchema(`SELECT stopgate.${text}::text AS outcome`, schema);
    statements.set(text, statement);
    return statement;
  };
  return async (operation, request) => {
    let call = shortCallOf(operation, request) ?? fullCallOf(operation, request);
    for (let tries = 1; ; tries++) {
      try {
        const answer = sql.unsafe<{ outcome: string }[]>(statementOf(call.text), call.values, { prepare: true });
        const [row] = answeredRows(await answers.within(answer));
        if (CLAIMING.has(operation)) countClaim();
        return outcomeOf(JSON.parse(row?.outcome ?? 'null'), request);
      } catch (error) {
        // the full function handles whatever stopped the short call
        call = fullCallOf(operation, request);
        if (isRetriable(error) && tries < MOST_TRIES) continue;
        return unavailableBecause(error, place);
      }
    }
  };
}

/** A hint may be lost with its connection, so a waiting process also checks this often. */
const CHECK_EVERY_MS = 5_000;

/**
 * Waits for the next hint, until it is time to check anyway, or until the signal aborts. Listens from the first wait on, with its
 * own connection.
 */
function watchHints({ sql, schema }: PostgresContext, clock: Clock) {
  const waiting = new Set<() => void>();
  const wakeAll = () => {
    for (const wake of waiting) wake();
  };
  let listening = false;
  const listen = async () => {
    if (listening) return;
    listening = true;
    try {
      // also wakes after a reconnect, because hints in between are lost
      await sql.listen(`${schema}.work`, wakeAll, wakeAll);
    } catch {
      listening = false;
    }
  };
  return async (withinMs: number, signal: AbortSignal | undefined): Promise<void> => {
    void listen();
    const woken = new AbortController();
    const wake = () => woken.abort();
    waiting.add(wake);
    signal?.addEventListener('abort', wake, { once: true });
    try {
      await clock.sleep(Math.min(withinMs, CHECK_EVERY_MS), woken.signal);
    } finally {
      waiting.delete(wake);
      signal?.removeEventListener('abort', wake);
    }
  };
}

/** Claims of this process between two checks. */
const CHECK_EVERY = 200;

const MOST_GONE = 5_000;

/** The statistics are about a second old, which is recent enough. */
const IS_LONG = `SELECT n_dead_tup > $1::bigint + n_live_tup / 100 AS long FROM pg_catalog.pg_stat_all_tables
  WHERE relid = 'stopgate.ready'::regclass`;

/** Skipped if it already runs. With all indexes: by default the server would skip the few pages that matter here. */
const SHORTEN = 'VACUUM (SKIP_LOCKED, INDEX_CLEANUP ON, TRUNCATE OFF) stopgate.ready';

/**
 * Dead rows of claimed tasks stay at the front of the index until a vacuum: after 50,000 claims a claim takes half as long again. The
 * server vacuums once a minute, which is 100,000 claims of a busy fleet, so claiming processes vacuum when it pays. A failure only
 * costs time. Returns what is called at each claim.
 */
export function keepReadyShort(
  sql: Sql,
  schema: string,
  { checkEvery = CHECK_EVERY, mostGone = MOST_GONE } = {},
): () => void {
  let claims = 0;
  const check = async () => {
    const [ready] = await sql.unsafe(inSchema(IS_LONG, schema), [mostGone]);
    if (ready?.long) await sql.unsafe(inSchema(SHORTEN, schema));
  };
  return () => {
    claims += 1;
    if (claims % checkEvery === 0) check().catch(() => {});
  };
}
