import { EXPORTED_TABLES, type ExportedRow } from '../exportedRow.ts';
import type { ImportOutcome } from '../types.ts';
import { StoreUnavailableError } from '../unavailable.ts';
import type { Engine } from './engine.ts';
import { unavailableBecause } from './failures.ts';
import { lastEventOf, nameLastEvent, recordEvent } from './recordEvent.ts';
import type { Tables, Value } from './tables.ts';

/** Every row. The store must have moved, so that it does not change meanwhile. */
export async function* exportRows(engine: Engine): AsyncGenerator<ExportedRow> {
  for (const table of EXPORTED_TABLES) {
    const columns = columnsOf(engine, table);
    const exported = namesOf(columns.filter(({ name }) => !OWN_COLUMNS.includes(name)));
    const key = namesOf(columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk));
    const rows = engine.database.prepare(`SELECT ${exported.join(', ')} FROM ${table} ORDER BY ${key.join(', ')}`);
    try {
      for (const values of rows.iterate()) yield { table, values: { ...values } as ExportedRow['values'] };
    } catch (error) {
      const unavailable = unavailableBecause(error, engine.path);
      throw unavailable ? new StoreUnavailableError(unavailable) : error;
    }
  }
}

/** What another store has would not fit in: events, settings and leaders have the numbers and names of this one. */
const IN_USE = EXPORTED_TABLES.filter((table) => table !== 'meta')
  .map((table) => `SELECT 1 FROM ${table}`)
  .join(' UNION ALL ')
  .concat(' LIMIT 1');

/** One transaction from the first row to the last; no other process may use this store meanwhile. */
export async function importRows(engine: Engine, rows: AsyncIterable<ExportedRow>): Promise<ImportOutcome> {
  const { database, tables } = engine;
  try {
    database.exec('BEGIN IMMEDIATE');
    if (tables.get(IN_USE)) {
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
  const columnsByTable = new Map(EXPORTED_TABLES.map((table) => [table, namesOf(columnsOf(engine, table))]));
  let count = 0;
  let generation = 1;
  for await (const { table, values } of rows) {
    if (table === 'meta') {
      generation = Number(values.generation) + 1;
      const trimmedTo = Number(values.trimmed_to ?? 0);
      tables.run('UPDATE meta SET generation = ?, moved_to = NULL, trimmed_to = ?', generation, trimmedTo);
      continue;
    }
    const columns = columnsByTable.get(table) ?? [];
    const places = columns.map(() => '?').join(', ');
    const whole: ExportedRow['values'] = { ...values, ...MADE_HERE[table]?.(tables, values) };
    const ordered = columns.map((column): Value => whole[column] ?? null);
    tables.run(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`, ...ordered);
    if (table === 'events') nameLastEvent(tables, values.task_seq);
    count += 1;
  }
  recordEvent(tables, 'store.imported', {}, { generation, rows: count });
  return { type: 'imported', rows: count, generation };
}

interface Column {
  readonly name: string;
  readonly pk: number;
}

const columnsOf = ({ tables }: Engine, table: ExportedRow['table']) =>
  tables.all<Column>(`PRAGMA table_info(${table})`);

const namesOf = (columns: readonly Column[]) => columns.map(({ name }) => name);

/** Columns that only this store has: not exported, and computed for imported rows. */
const OWN_COLUMNS: readonly string[] = ['last_event', 'previous', 'place'];

type Values = ExportedRow['values'];

const MADE_HERE: Readonly<Partial<Record<ExportedRow['table'], (tables: Tables, values: Values) => Values>>> = {
  attempts: (_, { task_seq, epoch }) => ({ place: Number(task_seq) * 2 ** 24 + Number(epoch) }),
  events: (tables, { task_seq }) => ({ previous: lastEventOf(tables, task_seq) }),
};
