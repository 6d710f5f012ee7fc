// A long session in its own process: node history/child.mjs STEPS WINDOW SETUP-JSON
import { performance } from 'node:perf_hooks';
import { peakMemoryMb } from '../lib/memory.mjs';
import { summary } from '../lib/statistics.mjs';
import { makeContestant } from '../loop/ours.mjs';

/** So that the first steps do not include compilation. */
const WARM_UP_RUNS = 10;
const MEASURED_RUNS = 11;

const [steps, window] = process.argv.slice(2, 4).map(Number);
const contestant = await makeContestant(JSON.parse(process.argv[4]));
for (let i = 0; i < WARM_UP_RUNS; i++) await contestant.run(steps, () => {});

const first = [];
const last = [];
for (let i = 0; i < MEASURED_RUNS; i++) {
  const startedAt = [];
  const { sent } = await contestant.run(steps, (event) => {
    if (event.type === 'stream_request_start') startedAt.push(performance.now());
  });
  if (sent !== 2 * steps + 1) throw new Error(`the last request held ${sent} messages, not ${2 * steps + 1}`);
  const span = (from) => ((startedAt[from + window] - startedAt[from]) * 1000) / window;
  first.push(span(0));
  last.push(span(steps - window));
}
const [firstUs, lastUs] = [first, last].map((samples) => summary(samples).median);
console.log(JSON.stringify({ firstUs, lastUs, peakMb: peakMemoryMb() }));
process.exit(0);
