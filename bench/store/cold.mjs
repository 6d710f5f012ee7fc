import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { REPOSITORY } from '../lib/cache.mjs';
import { summary } from '../lib/statistics.mjs';

const COMMAND = path.join(REPOSITORY, 'bin', 'stopgate.js');
const PAIRS = 5;

/** Whole processes, as a shell loop starts them, compared with an empty Node; a sample is the median of five. */
export function measureCold({ folder, place, rounds, samples }) {
  const env = { PATH: process.env.PATH, HOME: folder, STOPGATE_STORE: place };
  const named = ['--worker', 'shell'];
  const timed = (...args) => runTimed(args, { env, cwd: folder });
  const once = () => {
    const bare = timed('-e', '0');
    const claim = timed(COMMAND, 'task', 'claim', '--json', ...named);
    const { lease } = JSON.parse(claim.stdout);
    const epoch = ['--epoch', String(lease.epoch)];
    const complete = timed(COMMAND, 'task', 'complete', lease.taskId, ...epoch, '--result', 'done', ...named);
    return { node: bare.ms, claim: claim.ms, complete: complete.ms };
  };
  // the first start compiles code for later ones
  once();
  for (let round = 0; round < rounds; round++) {
    const times = Array.from({ length: PAIRS }, once);
    const median = (name) => summary(times.map((time) => time[name])).median;
    samples.add('cold', { node: median('node'), claim: median('claim'), complete: median('complete') });
  }
}

function runTimed(args, options) {
  const startedAt = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    ...options,
    encoding: 'utf8',
    timeout: 30_000,
  });
  const ms = performance.now() - startedAt;
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return { ms, stdout };
}
