import type { DatabaseSync } from 'node:sqlite';
import { ageOf, missingOf, type SchemaAge, versionWith } from '../schemaVersions.ts';
import answers from './answers.sql';
import budgetTables from './budgetTables.sql';
import clock from './clock.sql';
import countTables from './countTables.sql';
import growthTables from './growthTables.sql';
import judgeTables from './judgeTables.sql';
import repositoryTables from './repositoryTables.sql';
import reviewTables from './reviewTables.sql';
import tables from './tables.sql';

/** A version that only the other store needed. */
const NOTHING = '';

/** In order; a store's version counts them. Never changed once released, only added to. */
const MIGRATIONS: readonly string[] = [
  tables,
  clock,
  NOTHING,
  budgetTables,
  repositoryTables,
  reviewTables,
  growthTables,
  answers,
  countTables,
  judgeTables,
  NOTHING,
  NOTHING,
];

export const SCHEMA_VERSION = versionWith(MIGRATIONS);

/** "STOP": marks the file as a Stopgate store. */
const APPLICATION_ID = 0x53544f50;

type SchemaState = SchemaAge | 'foreign';

/**
 * Updates the tables to this version. Takes no lock when they are up to date: this runs in every process that opens the store. Of
 * two that start together, the second waits for the lock and finds the work done.
 */
export function migrate(database: DatabaseSync): SchemaState {
  if (numberIn(database, 'user_version') === SCHEMA_VERSION) return isOurs(database) ? 'usable' : 'foreign';
  database.exec('BEGIN IMMEDIATE');
  try {
    const version = numberIn(database, 'user_version');
    const state = stateOf(database, version);
    if (state === 'usable') {
      for (const migration of missingOf(MIGRATIONS, version)) database.exec(migration);
      database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}; PRAGMA application_id = ${APPLICATION_ID}`);
    }
    database.exec('COMMIT');
    return state;
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

function stateOf(database: DatabaseSync, version: number): SchemaState {
  const { count } = database.prepare('SELECT count(*) AS count FROM sqlite_schema').get() as { count: number };
  if (count > 0 && !isOurs(database)) return 'foreign';
  return ageOf(version, SCHEMA_VERSION);
}

function numberIn(database: DatabaseSync, pragma: 'user_version' | 'application_id'): number {
  return Number(database.prepare(`PRAGMA ${pragma}`).get()?.[pragma]);
}

const isOurs = (database: DatabaseSync) => numberIn(database, 'application_id') === APPLICATION_ID;
