import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { REPOSITORY } from '../lib/cache.mjs';
import { bundle } from '../lib/ours.mjs';
import { balancedMedian, inSwappedPairs } from '../lib/statistics.mjs';

const CHILD = path.join(import.meta.dirname, 'child.mjs');
const HELPER = path.join(REPOSITORY, 'profiles', 'spawn-helper.pl');
const LIMIT_MS = 30_000;
export const SMALL_MB = 70;
export const LARGE_MB = 520;

/**
 * The contests of each child, and how often per round. All children run side by side, but only one works at a time; the two
 * contests of a child swap places each time.
 */
const CONTESTS = {
  oneHook: { of: 'small', what: 'hooks', times: 30 },
  oneSpawn: { of: 'small', what: 'spawns', times: 30 },
  largeHook: { of: 'large', what: 'hooks', times: 30 },
  largeSpawn: { of: 'large', what: 'spawns', times: 30 },
  tenHooks: { of: 'ten', what: 'hooks', times: 16 },
  tenSpawns: { of: 'ten', what: 'spawns', times: 16 },
  answers: { of: 'functions', what: 'answers', times: 16 },
  watches: { of: 'functions', what: 'watches', times: 16 },
};

/** Samples by contest, one per round: the median of measurements that alternated with all others. */
export async function measureEngines(rounds) {
  const engine = await bundle('bench/hooks/engine.ts', 'hookEngine');
  await using stack = new AsyncDisposableStack();
  const start = async (setup) => stack.use(await startChild({ engine, helperScript: HELPER, ...setup }));
  const children = {
    small: await start({ count: 1, residentMb: SMALL_MB }),
    large: await start({ count: 1, residentMb: LARGE_MB }),
    ten: await start({ count: 10, residentMb: SMALL_MB }),
    functions: await start({ count: 1 }),
  };
  const samples = Object.fromEntries(Object.keys(CONTESTS).map((name) => [name, []]));
  await measureRound(children);
  for (let round = 0; round < rounds; round++) {
    const medians = await measureRound(children);
    for (const [name, median] of Object.entries(medians)) samples[name].push(median);
  }
  const smallMb = Math.round(await children.small.measure('residentMb'));
  const largeMb = Math.round(await children.large.measure('residentMb'));
  if (largeMb < 500) throw new Error(`the large process shrank to ${largeMb} MB, so nothing large was measured`);
  return { samples, smallMb, largeMb };
}

async function measureRound(children) {
  const times = Object.fromEntries(Object.keys(CONTESTS).map((name) => [name, []]));
  const most = Math.max(...Object.values(CONTESTS).map(({ times: count }) => count));
  for (let n = 0; n < most; n++) {
    for (const [name, { of, what, times: count }] of inSwappedPairs(Object.entries(CONTESTS), n)) {
      if (n < count) times[name].push(await children[of].measure(what));
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, balancedMedian(list)]));
}

async function startChild(setup) {
  const child = fork(CHILD, [JSON.stringify(setup)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const next = async () => {
    const settled = new AbortController();
    const signal = AbortSignal.any([settled.signal, AbortSignal.timeout(LIMIT_MS)]);
    const gone = once(child, 'exit', { signal }).then(([code]) => {
      throw new Error(`the hook engine's process ended with exit code ${code}`);
    });
    gone.catch(() => {});
    const [answer] = await Promise.race([once(child, 'message', { signal }), gone]);
    settled.abort();
    return answer;
  };
  await next();
  return {
    measure: (what) => {
      child.send(what);
      return next();
    },
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
