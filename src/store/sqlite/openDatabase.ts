import { DatabaseSync } from 'node:sqlite';
import { wordsOfAge } from '../schemaVersions.ts';
import type { Unavailable } from '../unavailable.ts';
import { unavailableBecause } from './failures.ts';
import { migrate, SCHEMA_VERSION } from './migrations.ts';
import { hasWalResetFault } from './sqliteVersion.ts';

/** While it is opened it may meet a migration; afterwards `retryBusy` waits, and SQLite itself only this long. */
const OPENING_TIMEOUT_MS = 5_000;
const BUSY_TIMEOUT_MS = 2;
const CACHE_KIB = 16 * 1024;
/**
 * In pages, 4 MiB: a claim writes seven, mostly the same ones again, and fetched home together they are written once, in about a
 * millisecond. More would save little of that, and the log is new whenever no process had the file open: as long as it grows, each
 * commit also waits for the file system to note where and how long it is, which doubles its time.
 */
const CHECKPOINT_PAGES = 1_000;

/** A database that is ready to use, or why there is none. Almost nothing is done when it was used before. */
export function openDatabase(path: string): DatabaseSync | Unavailable {
  let database: DatabaseSync | undefined;
  try {
    // the timeout comes first: everything after it may meet a lock
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
    return unusable(
      `SQLite ${version} can lose committed tasks (its WAL-reset fault); use a Node with 3.51.3 or newer.`,
    );
  }
  switchToWal(database);
  // NORMAL would lose acknowledged tasks when the power fails
  database.exec(`PRAGMA synchronous = FULL; PRAGMA cache_size = -${CACHE_KIB}`);
  database.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  const state = migrate(database);
  if (state === 'foreign')
    return unusable(`The file ${path} is a database, but not a Stopgate store; choose another path.`);
  if (state !== 'usable') return unusable(wordsOfAge(state, path, SCHEMA_VERSION));
  database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  return undefined;
}

/** Changing the mode does not wait for locks by itself, so two processes that create one file at the same time must try again. */
function switchToWal(database: DatabaseSync): void {
  for (let triesLeft = 100; ; triesLeft--) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (triesLeft === 0 || !isBusy(error)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

function isBusy(error: unknown): boolean {
  return (
    error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' && (error.errcode & 0xff) === 5
  );
}

function unusable(reason: string): Unavailable {
  return { type: 'unavailable', cause: 'unusable', reason };
}
