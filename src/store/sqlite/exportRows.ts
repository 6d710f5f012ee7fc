import { EXPORTED_TABLES, type ExportedRow } from '../exportedRow.ts';
import type { ImportOutcome } from '../types.ts';
import { StoreUnavailableError } from '../unavailable.ts';
import type { Engine } from './engine.ts';
import { unavailableBecause } from './failures.ts';
import { recordEvent } from './recordEvent.ts';
import type { Value } from './tables.ts';

/** Every row. Nothing changes while it goes on once the store says that it has moved. */
export async function* exportRows(engine: Engine): AsyncGenerator<ExportedRow> {
  for (const table of EXPORTED_TABLES) {
    const rows = engine.database.prepare(`SELECT * FROM ${table} ORDER BY ${keyOf(engine, table).join(', ')}`);
    try {
      for (const values of rows.iterate()) yield { table, values: { ...values } as ExportedRow['values'] };
    } catch (error) {
      const unavailable = unavailableBecause(error, engine.path);
      throw unavailable ? new StoreUnavailableError(unavailable) : error;
    }
  }
}

/** One transaction from the first row to the last; nobody else may use this store meanwhile. */
export async function importRows(engine: Engine, rows: AsyncIterable<ExportedRow>): Promise<ImportOutcome> {
  const { database, tables } = engine;
  try {
    database.exec('BEGIN IMMEDIATE');
    if (tables.get('SELECT 1 FROM tasks UNION ALL SELECT 1 FROM workers LIMIT 1')) {
      database.exec('ROLLBACK');
      return { type: 'refused', reason: 'notEmpty' };
    }
    const generation = await insertAll(engine, rows);
    database.exec('COMMIT');
    return generation;
  } catch (error) {
    if (database.isOpen && database.isTransaction) database.exec('ROLLBACK');
    const unavailable = unavailableBecause(error, engine.path);
    if (unavailable) return unavailable;
    throw error;
  }
}

async function insertAll(engine: Engine, rows: AsyncIterable<ExportedRow>): Promise<ImportOutcome> {
  const { tables } = engine;
  const columnsByTable = new Map(EXPORTED_TABLES.map((table) => [table, columnsOf(engine, table)]));
  let count = 0;
  let generation = 1;
  for await (const { table, values } of rows) {
    if (table === 'meta') {
      generation = Number(values.generation) + 1;
      tables.run('UPDATE meta SET generation = ?, moved_to = NULL', generation);
      continue;
    }
    const columns = columnsByTable.get(table) ?? [];
    const places = columns.map(() => '?').join(', ');
    const ordered = columns.map((column): Value => values[column] ?? null);
    tables.run(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`, ...ordered);
    count += 1;
  }
  recordEvent(tables, 'store.imported', {}, { generation, rows: count });
  return { type: 'imported', rows: count, generation };
}

interface Column {
  readonly name: string;
  readonly pk: number;
}

function columnsOf({ tables }: Engine, table: ExportedRow['table']): string[] {
  return tables.all<Column>(`PRAGMA table_info(${table})`).map(({ name }) => name);
}

function keyOf({ tables }: Engine, table: ExportedRow['table']): string[] {
  const key = tables.all<Column>(`PRAGMA table_info(${table})`).filter(({ pk }) => pk > 0);
  return key.toSorted((a, b) => a.pk - b.pk).map(({ name }) => name);
}
