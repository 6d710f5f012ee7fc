import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Clock } from '../../system/clock.ts';

export type Value = string | number | null;

/** What an operation works with, inside a transaction that somebody else began: one moment, and statements. */
export interface Tables {
  /** The transaction's moment: the same for everything in it. */
  readonly now: number;
  readonly random: () => number;
  get<Row>(sql: string, ...values: readonly Value[]): Row | undefined;
  all<Row>(sql: string, ...values: readonly Value[]): Row[];
  /** How many rows it changed. */
  run(sql: string, ...values: readonly Value[]): number;
}

export interface TableChances {
  readonly clock: Pick<Clock, 'now'>;
  readonly random: () => number;
}

export interface OpenTables extends Tables {
  /** Reads the clock for the transaction that begins now. */
  startMoment(): void;
}

/** Statements are prepared at their first use and kept: preparing costs more than most of them do. */
export function openTables(database: DatabaseSync, { clock, random }: TableChances): OpenTables {
  const prepared = new Map<string, StatementSync>();
  const statement = (sql: string): StatementSync => {
    let found = prepared.get(sql);
    if (!found) {
      found = database.prepare(sql);
      prepared.set(sql, found);
    }
    return found;
  };
  let now = 0;
  return {
    get now() {
      return now;
    },
    random,
    startMoment: () => {
      now = clock.now();
    },
    get: <Row>(sql: string, ...values: Value[]) => statement(sql).get(...values) as Row | undefined,
    all: <Row>(sql: string, ...values: Value[]) => statement(sql).all(...values) as Row[],
    run: (sql, ...values) => Number(statement(sql).run(...values).changes),
  };
}
