import postgres from 'postgres';
import { inSwappedPairs } from '../lib/statistics.mjs';
import { startCrew } from './crew.mjs';
import { fillOursFast } from './fillPostgres.mjs';

/** Contestants on PostgreSQL, in turns, at every size; neighbors swap places from round to round. */
export async function measurePostgres({ server, contestants, scenario, samples, print }) {
  const sql = postgres(server.url, { max: 1, onnotice: () => {} });
  const place = ({ name }, size) => server.url.replace(/\/postgres$/, `/${name.toLowerCase()}_${size}`);
  for (const contestant of contestants) {
    const { fill } = await import(`./contestants/${contestant.name}.mjs`);
    contestant.fill = fill;
    for (const size of scenario.serverSizes) {
      print(`filling PostgreSQL with ${size.toLocaleString('en')} tasks of ${contestant.label}`);
      await sql.unsafe(`CREATE DATABASE ${contestant.name.toLowerCase()}_${size}`);
      await fillFirst(contestant, place(contestant, size), size);
    }
  }
  await sql`CHECKPOINT`;
  await sql.end();
  for (const count of [1, scenario.many]) {
    const rounds = scenario.serverRounds;
    const windowMs = count === 1 ? scenario.serverSingleMs : scenario.serverMs;
    await using crews = new AsyncDisposableStack();
    for (const contestant of contestants)
      contestant.crew = crews.use(await startCrew(contestant.name, contestant.setup, count));
    // round 0 does not count, because new processes compile their code in it
    for (let round = 0; round <= rounds; round++) {
      print(`PostgreSQL, ${count} ${count === 1 ? 'process' : 'processes'}, round ${round} of ${rounds}`);
      for (const size of scenario.serverSizes) {
        for (const contestant of inSwappedPairs(contestants, round)) {
          const figures = await contestant.crew.measure(place(contestant, size), { count, windowMs });
          if (round > 0) samples.add(`postgres ${count} ${contestant.name} ${size}`, figures);
          await contestant.fill({ ...contestant.setup, place: place(contestant, size), count: figures.gone });
        }
      }
    }
  }
}

async function fillFirst({ name, setup, fill }, place, count) {
  if (name.startsWith('ours')) await fillOursFast({ ...setup, place, count });
  else await fill({ ...setup, place, count });
  const sql = postgres(place, { max: 1, onnotice: () => {} });
  // as in a database that has been in use
  await sql.unsafe('VACUUM ANALYZE');
  await sql.end();
}
