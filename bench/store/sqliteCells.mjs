import path from 'node:path';
import { fill as fillOurs } from './contestants/ours.mjs';
import { fill as fillRaw } from './contestants/rawSqlite.mjs';
import { startCrew } from './crew.mjs';
import { openDiskLimit } from './disk.mjs';
import { measureInTurns } from './sqliteTurns.mjs';

/** Every way to use a SQLite file, at every size: by one process, and by many. */
export async function measureSqlite({ folder, ours: setup, scenario, samples, print }) {
  const { library } = setup;
  const places = await fillPlaces({ folder, library, sizes: scenario.sizes, print });
  using disk = openDiskLimit(folder);
  await using ours = await startCrew('ours', setup, scenario.many + 1);
  await using raw = await startCrew('rawSqlite', {}, scenario.many);
  const sides = {
    ours: { crew: ours, places: places.ours, fill: (place, count) => fillOurs({ library, place, count }) },
    raw: { crew: raw, places: places.raw, fill: (place, count) => fillRaw({ place, count }) },
  };
  await measureInTurns({ disk, sides, scenario, samples, print });
  await measureMany({ disk, sides, scenario, samples, print });
}

/** `served`: our workers use a process that serves the file; `direct`: each worker opens it. */
async function measureMany({ disk, sides: { ours, raw }, scenario, samples, print }) {
  const { many: count, manyMs: windowMs } = scenario;
  const ways = {
    served: {
      ...ours,
      measure: async (place, order) => {
        const stop = await ours.crew.serve(place);
        try {
          return await ours.crew.measure(place, order);
        } finally {
          await stop();
        }
      },
    },
    raw: { ...raw, measure: raw.crew.measure },
    direct: { ...ours, measure: ours.crew.measure },
  };
  for (let round = 0; round < scenario.manyRounds; round++) {
    print(`SQLite, ${count} processes, round ${round + 1} of ${scenario.manyRounds}`);
    for (const size of scenario.sizes) {
      // as long as the others: for the longest waits of the disk itself
      samples.add(`disk ${count} ${size}`, disk.measure(windowMs));
      for (const [way, { measure, places, fill }] of Object.entries(ways)) {
        const figures = await measure(places[size], { count, windowMs });
        samples.add(`sqlite ${count} ${way} ${size}`, figures);
        await fill(places[size], figures.gone);
      }
    }
  }
}

async function fillPlaces({ folder, library, sizes, print }) {
  const places = { ours: {}, raw: {} };
  for (const size of sizes) {
    print(`filling SQLite with ${size.toLocaleString('en')} tasks`);
    places.ours[size] = path.join(folder, `ours-${size}.db`);
    places.raw[size] = path.join(folder, `raw-${size}.db`);
    await fillOurs({ library, place: places.ours[size], count: size });
    fillRaw({ place: places.raw[size], count: size });
  }
  return places;
}
