import postgres from 'postgres';
import { machinePostgres, startPostgres } from '../../tests/support/postgresServer.ts';
import { fill } from './contestants/ours.mjs';
import { startCrew } from './crew.mjs';
import { fillOursFast } from './fillPostgres.mjs';

/** Two databases of one server: with the package's default, and without the just-in-time compiler. */
const SIDES = ['on', 'off'];

/** The registry's server has no just-in-time compiler, a distribution's package has: ours with it, and without. */
export async function measureJit({ ours, scenario, samples, print }) {
  const bin = machinePostgres();
  if (bin === null) return { type: 'missing', reason: 'JIT: not measured, the package postgresql is not installed.' };
  const size = scenario.jitSize;
  const setup = { ...ours, joined: true };
  await using server = await startPostgres({ bin, more: { jit: 'on' } });
  const place = (jit) => server.url.replace(/\/postgres$/, `/jit_${jit}`);
  await createDatabases(server.url, place, { ...setup, size, print });
  await using crew = await startCrew('ours', setup, scenario.many);
  for (let round = 0; round <= scenario.serverRounds; round++) {
    print(`PostgreSQL with JIT and without, round ${round} of ${scenario.serverRounds}`);
    for (const jit of round % 2 === 0 ? SIDES : SIDES.toReversed()) {
      const figures = await crew.measure(place(jit), { count: scenario.many, windowMs: scenario.serverMs });
      if (round > 0) samples.add(`jit ${jit}`, figures);
      await fill({ ...setup, place: place(jit), count: figures.gone });
    }
  }
  return { type: 'measured' };
}

async function createDatabases(url, place, { size, print, ...setup }) {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  for (const jit of SIDES) {
    print(`filling PostgreSQL with ${size.toLocaleString('en')} tasks, JIT ${jit}`);
    await sql.unsafe(`CREATE DATABASE jit_${jit}`);
    await sql.unsafe(`ALTER DATABASE jit_${jit} SET jit = ${jit}`);
    await fillOursFast({ ...setup, place: place(jit), count: size });
  }
  await sql`CHECKPOINT`;
  await sql.end();
}
