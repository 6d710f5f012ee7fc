import type { Sql } from 'postgres';
import { inSchema } from './migrations.ts';

/** Claims of this process between two checks. */
const CHECK_EVERY = 200;

const MOST_GONE = 5_000;

/** The statistics are about a second old, which is recent enough. */
const IS_LONG = `SELECT n_dead_tup > $1::bigint + n_live_tup / 100 AS long FROM pg_catalog.pg_stat_all_tables
  WHERE relid = 'stopgate.ready'::regclass`;

/** Skipped if it already runs. With all indexes: by default the server would skip the few pages that matter here. */
const SHORTEN = 'VACUUM (SKIP_LOCKED, INDEX_CLEANUP ON, TRUNCATE OFF) stopgate.ready';

/**
 * Dead rows of claimed tasks stay at the front of the index until a vacuum: after 50,000 claims a claim takes half as long again. The
 * server vacuums once a minute, which is 100,000 claims of a busy fleet, so claiming processes vacuum when it pays. A failure only
 * costs time. Returns what is called at each claim.
 */
export function keepReadyShort(
  sql: Sql,
  schema: string,
  { checkEvery = CHECK_EVERY, mostGone = MOST_GONE } = {},
): () => void {
  let claims = 0;
  const check = async () => {
    const [ready] = await sql.unsafe(inSchema(IS_LONG, schema), [mostGone]);
    if (ready?.long) await sql.unsafe(inSchema(SHORTEN, schema));
  };
  return () => {
    claims += 1;
    if (claims % checkEvery === 0) check().catch(() => {});
  };
}
