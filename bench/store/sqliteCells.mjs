import path from 'node:path';
import { fill as fillOurs } from './contestants/ours.mjs';
import { fill as fillRaw } from './contestants/rawSqlite.mjs';
import { startCrew } from './crew.mjs';
import { openDiskLimit } from './disk.mjs';

/**
 * Every way to use a SQLite file, at every size, in turns. `served`: our workers go through a process that serves the file;
 * `direct`: each of them opens it itself.
 */
export async function measureSqlite({ folder, library, scenario, samples, say }) {
  const places = await fillPlaces({ folder, library, sizes: scenario.sizes, say });
  using disk = openDiskLimit(folder);
  await using ours = await startCrew('ours', { library }, scenario.many + 1);
  await using raw = await startCrew('rawSqlite', {}, scenario.many);
  const topUp = (contestant, size, count) =>
    contestant === 'raw'
      ? fillRaw({ place: places.raw[size], count })
      : fillOurs({ library, place: places.ours[size], count });
  const sides = {
    served: async (size, order) => {
      const stop = await ours.serve(places.ours[size]);
      try {
        return await ours.measure(places.ours[size], order);
      } finally {
        await stop();
      }
    },
    direct: (size, order) => ours.measure(places.ours[size], order),
    raw: (size, order) => raw.measure(places.raw[size], order),
  };
  const cell = async (side, size, count, windowMs) => {
    const figures = await sides[side](size, { count, windowMs });
    samples.add(`sqlite ${count} ${side} ${size}`, figures);
    await topUp(side, size, figures.gone);
  };
  for (let round = 0; round < scenario.singleRounds; round++) {
    say(`SQLite, 1 process, round ${round + 1} of ${scenario.singleRounds}`);
    // the two sizes that are compared with each other change places from round to round
    for (const size of round % 2 === 0 ? scenario.sizes : scenario.sizes.toReversed()) {
      samples.add(`disk ${size}`, disk.measure(scenario.singleMs / 2));
      for (const side of ['direct', 'raw']) await cell(side, size, 1, scenario.singleMs);
    }
  }
  for (let round = 0; round < scenario.manyRounds; round++) {
    say(`SQLite, ${scenario.many} processes, round ${round + 1} of ${scenario.manyRounds}`);
    for (const size of scenario.sizes) {
      // as long as the others: how long the disk itself makes somebody wait now and then
      samples.add(`disk ${scenario.many} ${size}`, disk.measure(scenario.manyMs));
      for (const side of ['served', 'raw', 'direct']) await cell(side, size, scenario.many, scenario.manyMs);
    }
  }
}

async function fillPlaces({ folder, library, sizes, say }) {
  const places = { ours: {}, raw: {} };
  for (const size of sizes) {
    say(`filling SQLite with ${size.toLocaleString('en')} tasks`);
    places.ours[size] = path.join(folder, `ours-${size}.db`);
    places.raw[size] = path.join(folder, `raw-${size}.db`);
    await fillOurs({ library, place: places.ours[size], count: size });
    fillRaw({ place: places.raw[size], count: size });
  }
  return places;
}
