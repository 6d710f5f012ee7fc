import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { OperationName, Outcomes } from '../outcomes.ts';
import type { SentRequests } from '../requests.ts';
import { openStoreClock, type StoreClock } from './storeClock.ts';

/** One operation, inside its caller's transaction. */
export type Operation<Name extends OperationName> = (tables: Tables, request: SentRequests[Name]) => Outcomes[Name];

export type Value = string | number | null;

/** What an operation uses: one time, and statements. Rows have the names of columns, in camel case. */
export interface Tables {
  /** The time of the transaction. */
  readonly now: number;
  readonly random: () => number;
  get<Row>(sql: string, ...values: readonly Value[]): Row | undefined;
  all<Row>(sql: string, ...values: readonly Value[]): Row[];
  run(sql: string, ...values: readonly Value[]): void;
  /** Returns the number of changed rows, which doubles the cost of a small change. */
  change(sql: string, ...values: readonly Value[]): number;
}

export interface TableChances {
  readonly clock: StoreClock;
  readonly random: () => number;
}

interface OpenTables extends Tables {
  /** Reads the store's clock inside a transaction. */
  startTransactionTime(writing: boolean): void;
}

/** Statements are prepared at their first use and kept: preparing costs more than most of them. */
export function openTables(database: DatabaseSync, { clock, random }: TableChances): OpenTables {
  const prepared = new Map<string, PreparedStatement>();
  const statement = (sql: string): PreparedStatement => {
    let found = prepared.get(sql);
    if (!found) {
      found = prepare(database, sql);
      prepared.set(sql, found);
    }
    return found;
  };
  let now = 0;
  const tables: OpenTables = {
    get now() {
      return now;
    },
    random,
    startTransactionTime: (writing) => {
      now = readClock(writing);
    },
    get: <Row>(sql: string, ...values: Value[]) => {
      const { run, rowOf } = statement(sql);
      const cells = run.get(...values) as Cells | undefined;
      return cells && (rowOf(cells) as Row);
    },
    all: <Row>(sql: string, ...values: Value[]) => {
      const { run, rowOf } = statement(sql);
      return (run.all(...values) as unknown as Cells[]).map(rowOf) as Row[];
    },
    // `get`, because SQLite's binding creates an object of counts for `run`
    run: (sql, ...values) => void statement(sql).run.get(...values),
    change: (sql, ...values) => Number(statement(sql).run.run(...values).changes),
  };
  const readClock = openStoreClock(tables, clock);
  return tables;
}

type Cells = readonly Value[];

interface PreparedStatement {
  readonly run: StatementSync;
  readonly rowOf: (cells: Cells) => object;
}

/**
 * Rows are fetched as arrays and named here: the objects of SQLite's binding cost twice as much to create and, without a prototype,
 * ten times as much to copy, a third of a claim. A row starts as a copy of an empty one: V8 makes a slow hash table of an object
 * that gets more than a dozen computed names one by one.
 */
function prepare(database: DatabaseSync, sql: string): PreparedStatement {
  const run = database.prepare(sql);
  run.setReturnArrays(true);
  const names = run.columns().map(({ name }) => name.replace(/_[a-z]/g, ([, letter = '']) => letter.toUpperCase()));
  const empty: Record<string, Value | undefined> = JSON.parse(`{${names.map((name) => `${JSON.stringify(name)}:0`)}}`);
  return {
    run,
    rowOf: (cells) => {
      const row = { ...empty };
      for (let at = 0; at < names.length; at++) row[names[at] as string] = cells[at];
      return row;
    },
  };
}
