/**
 * One process per file, at every size, and the disk itself, in short turns: all have their files open, and one works at a
 * time. The speed of a disk can double from one second to the next, so what is compared runs within the same second. A sample
 * is one round, the sum of its turns.
 */
export async function measureInTurns({ disk, sides, scenario, samples, print }) {
  const { singleRounds, singleTurns, turnMs } = scenario;
  for (let round = 0; round < singleRounds; round++) {
    print(`SQLite, 1 process, round ${round + 1} of ${singleRounds}`);
    const seats = await takeSeats(sides, scenario.sizes);
    const written = { count: 0, ms: 0 };
    const writeBlocks = () => {
      const { count, ms } = disk.measure(turnMs / 2);
      written.count += count;
      written.ms += ms;
    };
    for (let turn = 0; turn < singleTurns; turn++) {
      for (const seat of turn % 2 === 0 ? seats : seats.toReversed()) {
        writeBlocks();
        await seat.work(turnMs);
      }
    }
    samples.add('disk', { perSecond: (written.count / written.ms) * 1000 });
    for (const { name, leave, refill } of seats) {
      const figures = await leave();
      samples.add(name, figures);
      await refill(figures.gone);
    }
  }
}

async function takeSeats({ ours, raw }, sizes) {
  const seats = [];
  for (const [number, size] of sizes.entries()) {
    for (const [side, { crew, places, fill }] of Object.entries({ direct: ours, raw })) {
      const { work, leave } = await crew.settle(number, places[size]);
      const refill = (count) => fill(places[size], count);
      seats.push({ name: `sqlite 1 ${side} ${size}`, work, leave, refill });
    }
  }
  return seats;
}
