import type { Sql } from 'postgres';
import { ownValue } from '../../system/ownValue.ts';
import { EXPORTED_TABLES, type ExportedRow } from '../exportedRow.ts';
import type { ImportOutcome } from '../types.ts';
import { StoreUnavailableError } from '../unavailable.ts';
import { type PostgresContext, unavailableBecause } from './failures.ts';
import { inSchema } from './migrations.ts';
import { answeredRows } from './watchAnswers.ts';

const CHUNK = 1_000;
const NEVER_ENDS = '9223372036854775807';
/** Columns that only this store has, and how they are computed. */
const OWN_COLUMNS: Readonly<Partial<Record<ExportedRow['table'], Readonly<Record<string, string>>>>> = {
  tasks: {
    live_key: 'stopgate.live_key_of(state, dedupe_key)',
    // bodies are separate rows; short ones are moved here at the end
    body: `''`,
    // maybe; the completion checks
    waited_for: 'true',
    told: 'pg_current_xact_id()',
  },
};

/** Tables whose rows are not exported as they are; events are numbered in the order of reading. */
const SOURCES: Readonly<Partial<Record<ExportedRow['table'], string>>> = {
  meta: `SELECT generation, (trimmed_xid > '0')::integer AS trimmed_to FROM stopgate.meta`,
  bodies: `SELECT task_seq, body FROM stopgate.bodies UNION ALL SELECT seq, body FROM stopgate.tasks WHERE body <> '' ORDER BY 1`,
  events: `SELECT row_number() OVER (ORDER BY xid, seq) AS seq, at, kind, task_seq, attempt_id, worker_id, epoch, actor, data
    FROM stopgate.events ORDER BY 1`,
};

/** Every row. The store must have moved, so that it does not change meanwhile. */
export async function* exportRows({ sql, schema, place }: PostgresContext): AsyncGenerator<ExportedRow> {
  try {
    for (const table of EXPORTED_TABLES) {
      const source = ownValue(SOURCES, table) ?? `SELECT * FROM stopgate.${table} ORDER BY 1, 2`;
      const query = inSchema(`SELECT row_to_json(x)::text AS row FROM (${source}) x`, schema);
      for await (const rows of sql.unsafe<{ row: string }[]>(query).cursor(CHUNK)) {
        for (const { row } of answeredRows(rows)) yield { table, values: flatten(JSON.parse(row)) };
      }
    }
  } catch (error) {
    throw new StoreUnavailableError(unavailableBecause(error, place));
  }
}

/** JSON inside a row becomes text, as in SQLite. */
function flatten(row: Record<string, unknown>): ExportedRow['values'] {
  const flat = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
  ]);
  return Object.fromEntries(flat);
}

export async function importRows(context: PostgresContext, rows: AsyncIterable<ExportedRow>): Promise<ImportOutcome> {
  try {
    return (await context.sql.begin((sql) => importInto(sql as unknown as Sql, context.schema, rows))) as ImportOutcome;
  } catch (error) {
    return unavailableBecause(error, context.place);
  }
}

/** What another store has would not fit in: events, settings and leaders have the numbers and names of this one. */
const IN_USE = EXPORTED_TABLES.filter((table) => table !== 'meta')
  .map((table) => `SELECT 1 FROM stopgate.${table}`)
  .join(' UNION ALL ')
  .concat(' LIMIT 1');

async function importInto(sql: Sql, schema: string, rows: AsyncIterable<ExportedRow>): Promise<ImportOutcome> {
  const run = (text: string, ...values: string[]) => sql.unsafe(inSchema(text, schema), values);
  await run(`SELECT pg_advisory_xact_lock(hashtext('stopgate.move'), 0)`);
  const [there] = await run(IN_USE);
  if (there) return { type: 'refused', reason: 'notEmpty' };
  const insert = async (table: ExportedRow['table'], batch: readonly ExportedRow['values'][]) => {
    const own = ownValue(OWN_COLUMNS, table) ?? {};
    const given = Object.keys(batch[0] ?? {}).filter((name) => !(name in own));
    const columns = [...given, ...Object.keys(own)].join(', ');
    const values = [...given, ...Object.values(own)].join(', ');
    const source = `jsonb_populate_recordset(NULL::stopgate.${table}, $1::text::jsonb)`;
    await run(
      `INSERT INTO stopgate.${table} (${columns}) SELECT ${values} FROM ${source}`,
      JSON.stringify(batch.map(nest)),
    );
  };
  let generation = 1;
  let isTrimmed = false;
  let count = 0;
  for await (const { table, batch } of inBatches(rows)) {
    if (table !== 'meta') await insert(table, batch);
    else {
      generation = Number(batch[0]?.generation) + 1;
      isTrimmed = Number(batch[0]?.trimmed_to ?? 0) > 0;
    }
    count += table === 'meta' ? 0 : batch.length;
  }
  await run(`UPDATE stopgate.tasks t SET body = CASE WHEN NOT stopgate.is_long(b.body) THEN b.body END
    FROM stopgate.bodies b WHERE b.task_seq = t.seq`);
  await run('DELETE FROM stopgate.bodies WHERE NOT stopgate.is_long(body)');
  await run(`INSERT INTO stopgate.ready SELECT seq, stopgate.lane_of(queue, concurrency_key), type, priority, run_at FROM stopgate.tasks
    WHERE stopgate.place_of(state, unmet, hold_reason) = 'ready'`);
  await run(`INSERT INTO stopgate.apart SELECT seq, stopgate.place_of(state, unmet, hold_reason), queue, hold_reason IS NOT NULL
    FROM stopgate.tasks WHERE stopgate.place_of(state, unmet, hold_reason) <> 'ready'`);
  await run('DELETE FROM stopgate.obstacles');
  await run(`INSERT INTO stopgate.obstacles (kind, key, whose, since, until)
    SELECT 'queue', name, name, 0, ${NEVER_ENDS} FROM stopgate.queues WHERE paused_at IS NOT NULL
    UNION ALL SELECT 'account', key, key, 0, paused_until FROM stopgate.accounts WHERE paused_until IS NOT NULL
    UNION ALL SELECT 'limit', name, name, 0, ${NEVER_ENDS} FROM stopgate.queues WHERE max_claimed IS NOT NULL
    UNION ALL SELECT DISTINCT 'lanes', queue, queue, 0, ${NEVER_ENDS} FROM stopgate.tasks WHERE concurrency_key IS NOT NULL
    UNION ALL SELECT 'offer', id, NULL, offer_until, ${NEVER_ENDS} FROM stopgate.attempts WHERE state = 'offered'`);
  await run(`INSERT INTO stopgate.children SELECT parent_id, seq FROM stopgate.tasks WHERE parent_id IS NOT NULL`);
  await run('UPDATE stopgate.meta SET generation = $1::text::integer, moved_to = NULL', String(generation));
  // a feed from the beginning lacks what was removed there
  if (isTrimmed) await run('UPDATE stopgate.meta SET trimmed_xid = pg_current_xact_id(), trimmed_seq = 0');
  for (const table of ['tasks', 'events']) {
    const highest = `(SELECT coalesce(max(seq), 0) + 1 FROM stopgate.${table})`;
    await run(`SELECT setval(pg_get_serial_sequence('${schema}.${table}', 'seq'), ${highest}, false)`);
  }
  await run(
    `SELECT stopgate.record_event(stopgate.now_ms(), 'store.imported', $1::text::json)`,
    JSON.stringify({ generation, rows: count }),
  );
  return { type: 'imported', rows: count, generation };
}

/** The two columns that are JSON here. */
function nest(values: ExportedRow['values']): object {
  const nested = ['details', 'data'].filter((name) => typeof values[name] === 'string');
  return { ...values, ...Object.fromEntries(nested.map((name) => [name, JSON.parse(String(values[name]))])) };
}

async function* inBatches(rows: AsyncIterable<ExportedRow>) {
  let table: ExportedRow['table'] | undefined;
  let batch: ExportedRow['values'][] = [];
  for await (const row of rows) {
    if (table !== undefined && (row.table !== table || batch.length === CHUNK)) {
      yield { table, batch };
      batch = [];
    }
    table = row.table;
    batch.push(row.values);
  }
  if (table !== undefined) yield { table, batch };
}
