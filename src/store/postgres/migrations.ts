import type { Sql } from 'postgres';
import { ageOf, missingOf, type SchemaAge, versionWith } from '../schemaVersions.ts';
import { accounts } from './functions/accounts.ts';
import { addTasks } from './functions/addTasks.ts';
import { amendTask } from './functions/amendTask.ts';
import { changeTask } from './functions/changeTask.ts';
import { claim } from './functions/claim.ts';
import { foundations } from './functions/foundations.ts';
import { holding } from './functions/holding.ts';
import { moves } from './functions/moves.ts';
import { offers } from './functions/offers.ts';
import { places } from './functions/places.ts';
import { plans } from './functions/plans.ts';
import { reads } from './functions/reads.ts';
import { ready } from './functions/ready.ts';
import { reap } from './functions/reap.ts';
import { release } from './functions/release.ts';
import { settle } from './functions/settle.ts';
import { shortWay } from './functions/shortWay.ts';
import { verification } from './functions/verification.ts';
import { views } from './functions/views.ts';
import { workers } from './functions/workers.ts';
import { FIRST_SCHEMA } from './schema.ts';

const FUNCTIONS = [
  foundations,
  places,
  views,
  ready,
  holding,
  offers,
  claim,
  settle,
  shortWay,
  addTasks,
  amendTask,
  changeTask,
  verification,
];
const MORE = [workers, reap, accounts, reads, moves, plans];

/** In order; a number is what a store that has it says its version is. Never changed once released, only added to. */
const MIGRATIONS: readonly string[] = [[FIRST_SCHEMA, ...FUNCTIONS, ...MORE].join('\n'), release];

export const SCHEMA_VERSION = versionWith(MIGRATIONS);

/** Brings a schema up to what this version knows; one process at a time, whoever comes second finds the work done. */
export async function migrate(sql: Sql, schema: string): Promise<SchemaAge> {
  if ((await versionOf(sql, schema)) === SCHEMA_VERSION) return 'usable';
  return sql.begin(async (transaction) => {
    const own = transaction as unknown as Sql;
    await own`SELECT pg_advisory_xact_lock(hashtext('stopgate.migrate'), hashtext(${schema}))`;
    const version = await versionOf(own, schema);
    const age = ageOf(version, SCHEMA_VERSION);
    if (age !== 'usable') return age;
    if (version === 0) await own.unsafe(inSchema('CREATE SCHEMA IF NOT EXISTS stopgate', schema));
    for (const migration of missingOf(MIGRATIONS, version)) await own.unsafe(inSchema(migration, schema));
    await own.unsafe(inSchema(`UPDATE stopgate.meta SET version = ${SCHEMA_VERSION}`, schema));
    return age;
  });
}

/**
 * 0 when there is no store in this schema yet. Asked of the catalogue's tables: `to_regclass` answers from a cache that does
 * not hear of what others made since the transaction began.
 */
async function versionOf(sql: Sql, schema: string): Promise<number> {
  const [found] = await sql`SELECT 1 FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = ${schema} AND c.relname = 'meta'`;
  if (!found) return 0;
  const [meta] = await sql.unsafe<{ version: number }[]>(inSchema('SELECT version FROM stopgate.meta', schema));
  return meta?.version ?? 0;
}

/** The SQL is written for a schema called `stopgate`; this is the only place where another name comes in. */
export function inSchema(text: string, schema: string): string {
  if (!isSchemaName(schema)) throw new Error(`${schema} is not a name for a schema`);
  return text.replace(/\bstopgate\b(?=\.|$)/g, schema);
}

/** Names that need no quoting, so that none can be forgotten. */
function isSchemaName(name: string): boolean {
  return /^[a-z_][a-z0-9_]{0,50}$/.test(name);
}
