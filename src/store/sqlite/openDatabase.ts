import { DatabaseSync } from 'node:sqlite';
import { describeAge } from '../schemaVersions.ts';
import { type Unavailable, unavailable } from '../unavailable.ts';
import { unavailableBecause } from './failures.ts';
import { migrate, SCHEMA_VERSION } from './migrations.ts';

/** Opening may have to wait for a migration; afterwards `retryBusy` waits, and SQLite itself only briefly. */
const OPENING_TIMEOUT_MS = 5_000;
const BUSY_TIMEOUT_MS = 2;
const CACHE_KIB = 16 * 1024;
/**
 * In pages, 4 MiB. A claim writes seven pages, mostly the same ones, and a checkpoint writes each once, in about a millisecond. A
 * larger log would save little, and while it grows each commit takes twice as long, because the file system records its new size.
 */
const CHECKPOINT_PAGES = 1_000;

/** A database that is ready to use, or why there is none. Cheap when it already has the current schema. */
export function openDatabase(path: string): DatabaseSync | Unavailable {
  let database: DatabaseSync | undefined;
  try {
    // the timeout comes first: everything after it may have to wait for a lock
    database = new DatabaseSync(path, { timeout: OPENING_TIMEOUT_MS });
    const problem = prepareDatabase(database, path);
    if (!problem) return database;
    database.close();
    return problem;
  } catch (error) {
    database?.close();
    const unavailable = unavailableBecause(error, path);
    if (unavailable) return unavailable;
    throw error;
  }
}

function prepareDatabase(database: DatabaseSync, path: string): Unavailable | undefined {
  const version = process.versions.sqlite ?? '';
  if (hasWalResetFault(version)) {
    return unavailable(
      'unusable',
      `SQLite ${version} can lose committed tasks (its WAL-reset fault); use a Node with 3.51.3 or newer.`,
    );
  }
  switchToWal(database);
  // NORMAL would lose acknowledged tasks when the power fails
  database.exec(`PRAGMA synchronous = FULL; PRAGMA cache_size = -${CACHE_KIB}`);
  database.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  const state = migrate(database);
  if (state === 'foreign')
    return unavailable('unusable', `The file ${path} is a database, but not a Stopgate store; choose another path.`);
  if (state !== 'usable') return unavailable('unusable', describeAge(state, path, SCHEMA_VERSION));
  database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  return undefined;
}

/** Changing the mode does not wait for locks, so processes that create the same file concurrently must retry. */
function switchToWal(database: DatabaseSync): void {
  for (let triesLeft = 100; ; triesLeft--) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (triesLeft === 0 || unavailableBecause(error, '')?.cause !== 'busy') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

/**
 * SQLite 3.7.0 to 3.51.2 can lose committed pages in WAL mode when one connection writes while another one resets the log.
 * Fixed in 3.51.3, and in 3.44.6 and 3.50.7 on these lines.
 */
export function hasWalResetFault(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  if (major !== 3 || minor < 7 || minor > 51) return false;
  const fixedAt = FIXED_PATCHES.get(minor);
  return fixedAt === undefined || patch < fixedAt;
}

const FIXED_PATCHES: ReadonlyMap<number, number> = new Map([
  [44, 6],
  [50, 7],
  [51, 3],
]);
