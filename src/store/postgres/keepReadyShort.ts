import type { Sql } from 'postgres';
import { inSchema } from './migrations.ts';

/** Claims of this process between two checks. */
const LOOK_EVERY = 200;

const MOST_GONE = 5_000;

/** The statistics are about a second old, which is soon enough. */
const IS_LONG = `SELECT n_dead_tup > $1::bigint + n_live_tup / 100 AS long FROM pg_catalog.pg_stat_all_tables
  WHERE relid = 'stopgate.ready'::regclass`;

/** Not if it already runs. With all indexes, of which the server would leave out the few pages that matter here. */
const SHORTEN = 'VACUUM (SKIP_LOCKED, INDEX_CLEANUP ON, TRUNCATE OFF) stopgate.ready';

/**
 * What was claimed stays at the front of the index, where every claim begins to look, until the table is vacuumed: after 50,000
 * claims one takes half as long again. The server's own vacuum comes once a minute, which is 100,000 claims of a busy fleet, so
 * the processes that claim run it when it is worth it. If it fails, only time is lost.
 */
export function keepReadyShort(
  sql: Sql,
  schema: string,
  { lookEvery = LOOK_EVERY, mostGone = MOST_GONE } = {},
): { askedFor(): void } {
  let asked = 0;
  const look = async () => {
    const [ready] = await sql.unsafe(inSchema(IS_LONG, schema), [mostGone]);
    if (ready?.long) await sql.unsafe(inSchema(SHORTEN, schema));
  };
  return {
    askedFor: () => {
      asked += 1;
      if (asked % lookEvery === 0) look().catch(() => {});
    },
  };
}
