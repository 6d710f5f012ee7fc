// One contestant in a process of its own: node loop/child.mjs CONTESTANT speed|memory SETUP-JSON
import { performance } from 'node:perf_hooks';
import { peakMemoryMb } from '../lib/memory.mjs';
import { summary } from '../lib/statistics.mjs';

const SHORT = 100;
const LONG = 1000;
const WARM_UP_MS = 1000;
const MEASURE_MS = 2000;
const MOST_REPEATS = 15;

const [name, mode, setup] = process.argv.slice(2);
const { makeContestant } = await import(`./${name}.mjs`);
const contestant = await makeContestant(JSON.parse(setup));
console.log(JSON.stringify(mode === 'memory' ? await measureMemory() : await measureSpeed()));
// some peers leave keep-alive timers behind
process.exit(0);

/** The first run of a fresh process: what the loop needs, code included, nothing left over from a warm-up. */
async function measureMemory() {
  await perform(LONG);
  const { heapUsed } = process.memoryUsage();
  return { peakMb: peakMemoryMb(), heapMb: heapUsed / 1024 / 1024 };
}

async function measureSpeed() {
  const warmUntil = performance.now() + WARM_UP_MS;
  do {
    await perform(LONG);
    await perform(SHORT);
  } while (performance.now() < warmUntil);
  const short = [];
  const long = [];
  const until = performance.now() + MEASURE_MS;
  do {
    short.push(await timed(SHORT, LONG / SHORT));
    long.push(await timed(LONG, 1));
  } while (performance.now() < until && long.length < MOST_REPEATS);
  return { shortUs: summary(short).median, longUs: summary(long).median };
}

async function timed(steps, times) {
  globalThis.gc?.();
  const startedAt = performance.now();
  for (let i = 0; i < times; i++) await perform(steps);
  return ((performance.now() - startedAt) * 1000) / (steps * times);
}

/** A run that did not do the work would be a fast one, so what it did is checked. */
async function perform(steps) {
  let events = 0;
  const { toolRuns, sent } = await contestant.run(steps, () => events++);
  const expected = 2 * steps + 1;
  if (toolRuns !== steps || sent !== expected || events < steps) {
    throw new Error(`${name} ran the tool ${toolRuns} times of ${steps} and sent ${sent} messages of ${expected}`);
  }
}

