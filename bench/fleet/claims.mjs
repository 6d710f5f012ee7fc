import postgres from 'postgres';
import { pgbouncer, startPgbouncer } from '../../tests/store/support/pgbouncer.ts';
import { machinePostgres, startPostgres } from '../../tests/support/postgresServer.ts';
import { fill } from '../store/contestants/ours.mjs';
import { startCrew } from '../store/crew.mjs';
import { fillOursFast } from '../store/fillPostgres.mjs';

/**
 * Three processes of ten workers, over one connection each: directly, through a pooler, and on databases of one server with and
 * without its just-in-time compiler. Beside them, as many workers in a process each.
 */
export async function measureClaims({ ours, scenario, samples, print }) {
  const bin = machinePostgres();
  await using server = await startPostgres(bin === null ? {} : { bin, more: { jit: 'on' } });
  await using pooler = pgbouncer === null ? null : await startPgbouncer(server.url);
  const at = (url, name) => url.replace(/\/postgres$/, `/${name}`);
  const { processes, workers } = scenario;
  await using many = await startCrew('oursMany', { ...ours, workers }, processes);
  await using each = await startCrew('ours', { ...ours, joined: true }, processes * workers);
  const sides = [
    { name: 'many', crew: many, count: processes, place: at(server.url, 'claims_off') },
    { name: 'each', crew: each, count: processes * workers, place: at(server.url, 'claims_each') },
    ...(pooler === null
      ? []
      : [{ name: 'pooled', crew: many, count: processes, place: at(pooler.url, 'claims_pooled') }]),
    ...(bin === null ? [] : [{ name: 'jit', crew: many, count: processes, place: at(server.url, 'claims_jit') }]),
  ];
  await createDatabases(server.url, sides, { ours, scenario, print, at });
  for (let round = 0; round <= scenario.claimRounds; round++) {
    print(`PostgreSQL, ${processes} × ${workers} workers, round ${round} of ${scenario.claimRounds}`);
    for (const { name, crew, count, place } of round % 2 === 0 ? sides : sides.toReversed()) {
      const figures = await crew.measure(place, { count, windowMs: scenario.claimMs });
      if (round > 0) samples.add(`claims ${name}`, figures);
      await fill({ ...ours, place, count: figures.gone });
    }
  }
  return [
    ...(pooler === null ? ['pgbouncer: not measured, the package pgbouncer is not installed.'] : []),
    ...(bin === null ? ['JIT: not measured, the package postgresql is not installed.'] : []),
  ];
}

async function createDatabases(url, sides, { ours, scenario, print, at }) {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  for (const { name, place } of sides) {
    const database = place.slice(place.lastIndexOf('/') + 1);
    print(`filling PostgreSQL with ${scenario.claimSize.toLocaleString('en')} tasks for ${name}`);
    await sql.unsafe(`CREATE DATABASE ${database}`);
    await sql.unsafe(`ALTER DATABASE ${database} SET jit = ${name === 'jit' ? 'on' : 'off'}`);
    await fillOursFast({ ...ours, place: at(url, database), count: scenario.claimSize });
  }
  await sql`CHECKPOINT`;
  await sql.end();
}
