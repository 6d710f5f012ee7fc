import type { Sql } from 'postgres';
import { ageOf, missingOf, type SchemaAge, versionWith } from '../schemaVersions.ts';
import { CLAIMED_ROW_FUNCTION } from './claimedOf.ts';
import budgetTables from './sql/budgetTables.sql';
import * as functions from './sql/functions.ts';
import growthTables from './sql/growthTables.sql';
import judgeTables from './sql/judgeTables.sql';
import repositoryTables from './sql/repositoryTables.sql';
import reviewTables from './sql/reviewTables.sql';
import settings from './sql/settings.sql';
import tables from './sql/tables.sql';

/** Runs as one script after any migration; `CREATE OR REPLACE`, so it can be repeated. */
export const FUNCTIONS = [
  // in any order: they call each other
  'SET LOCAL check_function_bodies = off;',
  CLAIMED_ROW_FUNCTION,
  ...Object.values(functions),
  settings,
].join('\n');

/** A version that only changed functions. */
const FUNCTIONS_ONLY = '';

/** In order; a store's version counts them. Never changed once released, only added to. */
const MIGRATIONS: readonly string[] = [
  tables,
  FUNCTIONS_ONLY,
  FUNCTIONS_ONLY,
  FUNCTIONS_ONLY,
  budgetTables,
  FUNCTIONS_ONLY,
  repositoryTables,
  reviewTables,
  growthTables,
  judgeTables,
  FUNCTIONS_ONLY,
  FUNCTIONS_ONLY,
];

export const SCHEMA_VERSION = versionWith(MIGRATIONS);

/** Brings a schema up to this version. One process at a time; a second one finds the work done. */
export async function migrate(sql: Sql, schema: string): Promise<SchemaAge> {
  if ((await versionOf(sql, schema)) === SCHEMA_VERSION) return 'usable';
  return sql.begin(async (transaction) => {
    const own = transaction as unknown as Sql;
    await own`SELECT pg_advisory_xact_lock(hashtext('stopgate.migrate'), hashtext(${schema}))`;
    const version = await versionOf(own, schema);
    const age = ageOf(version, SCHEMA_VERSION);
    if (age !== 'usable' || version === SCHEMA_VERSION) return age;
    const scripts = [
      ...missingOf(MIGRATIONS, version),
      FUNCTIONS,
      `UPDATE stopgate.meta SET version = ${SCHEMA_VERSION}`,
    ];
    if (version === 0) scripts.unshift('CREATE SCHEMA IF NOT EXISTS stopgate');
    for (const script of scripts) if (script !== FUNCTIONS_ONLY) await own.unsafe(inSchema(script, schema));
    return age;
  });
}

/**
 * 0 without a store in this schema. Read from the catalog's tables: `to_regclass` uses a cache that does not see what others
 * created since the transaction began.
 */
async function versionOf(sql: Sql, schema: string): Promise<number> {
  const [found] = await sql`SELECT 1 FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = ${schema} AND c.relname = 'meta'`;
  if (!found) return 0;
  const [meta] = await sql.unsafe<{ version: number }[]>(inSchema('SELECT version FROM stopgate.meta', schema));
  return meta?.version ?? 0;
}

/** The SQL is written for a schema called `stopgate`; this function replaces the name, by one that needs no quoting. */
export function inSchema(text: string, schema: string): string {
  if (!/^[a-z_][a-z0-9_]{0,50}$/.test(schema)) throw new Error(`${schema} is not a valid schema name`);
  return text.replace(/\bstopgate\b(?=\.|$)/g, schema);
}
