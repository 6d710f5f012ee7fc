// One contestant in its own process: node loop/child.mjs CONTESTANT warm|fresh SETUP-JSON
import { performance } from 'node:perf_hooks';
import { peakMemoryMb } from '../lib/memory.mjs';
import { summary } from '../lib/statistics.mjs';

const SHORT = 100;
const LONG = 1000;
/** Enough to compile every contestant except the slowest, for which one repeat is enough. */
const WARM_UP_RUNS = 30;
const WARM_UP_MS = 3000;
const MEASURE_RUNS = 15;
const MEASURE_MS = 3000;

const [name, mode, setup] = process.argv.slice(2);
const { makeContestant } = await import(`./${name}.mjs`);
const contestant = await makeContestant(JSON.parse(setup));
console.log(JSON.stringify(mode === 'fresh' ? await measureFresh() : await measureWarm()));
// some peers leave keep-alive timers behind
process.exit(0);

/** The first run of a fresh process: all that the loop needs, code included, without a warm-up. */
async function measureFresh() {
  const firstUs = await timed(LONG, 1);
  const { heapUsed } = process.memoryUsage();
  return { firstUs, peakMb: peakMemoryMb(), heapMb: heapUsed / 1024 / 1024 };
}

/**
 * No forced garbage collection between repeats: it also discards compiled code that refers to objects of the previous turn,
 * and then the compiler would be measured.
 */
async function measureWarm() {
  await repeat(WARM_UP_RUNS, WARM_UP_MS, async () => {
    await perform(LONG);
    await perform(SHORT);
  });
  const short = [];
  const long = [];
  await repeat(MEASURE_RUNS, MEASURE_MS, async () => {
    short.push(await timed(SHORT, LONG / SHORT));
    long.push(await timed(LONG, 1));
  });
  return { shortUs: summary(short).median, longUs: summary(long).median };
}

/** At least once, then until either limit is reached. */
async function repeat(runs, limitMs, act) {
  const until = performance.now() + limitMs;
  for (let i = 0; i < runs && (i === 0 || performance.now() < until); i++) await act();
}

async function timed(steps, times) {
  const startedAt = performance.now();
  for (let i = 0; i < times; i++) await perform(steps);
  return ((performance.now() - startedAt) * 1000) / (steps * times);
}

/** A run that did no work would be fast, so its result is checked. */
async function perform(steps) {
  let events = 0;
  const { toolRuns, sent } = await contestant.run(steps, () => events++);
  const expected = 2 * steps + 1;
  if (toolRuns !== steps || sent !== expected || events < steps) {
    throw new Error(`${name} ran the tool ${toolRuns} times of ${steps} and sent ${sent} messages of ${expected}`);
  }
}
