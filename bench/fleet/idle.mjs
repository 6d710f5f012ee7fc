import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { REPOSITORY } from '../lib/cache.mjs';

const BIN = path.join(REPOSITORY, 'bin', 'stopgate.js');
/** In the environment of every process of a side, so that none is overlooked. */
const MARK = 'STOPGATE_BENCH_MARK';
const TICKS_PER_SECOND = 100;

/** Both run as many workers as they say, in one process or in one each. */
const SIDES = {
  slots: ({ idleSlots }) => ({ count: idleSlots, runs: [['--slots', String(idleSlots)]] }),
  processes: ({ idleProcesses }) => ({
    count: idleProcesses,
    runs: Array.from({ length: idleProcesses }, (_, n) => ['--slot', `one-${n}`]),
  }),
};

/** Idle workers: memory (PSS: shared pages count once) and processor time of theirs and of the server's processes. */
export async function measureIdle({ kind, folder, placeOf, server, scenario, samples, print }) {
  for (let round = 1; round <= scenario.idleRounds; round++) {
    for (const side of round % 2 === 0 ? Object.keys(SIDES).toReversed() : Object.keys(SIDES)) {
      const { count, runs } = SIDES[side](scenario);
      print(`${kind}: ${count} idle workers, ${side}, round ${round} of ${scenario.idleRounds}`);
      const mark = `${process.pid}-${kind}-${side}-${round}`;
      const home = path.join(folder, mark);
      mkdirSync(home);
      const backends = () => (server === undefined ? [] : childrenOf(server.pid));
      const others = new Set(backends());
      const workers = startWorkers(runs, { mark, home, store: await placeOf(mark) });
      try {
        await sleep(scenario.settleMs);
        const pids = [...marked(mark), ...backends().filter((pid) => !others.has(pid))];
        const before = pids.map(ticksOf);
        await sleep(scenario.watchMs);
        const ticks = pids.map((pid, n) => ticksOf(pid) - before[n]).reduce((sum, one) => sum + one, 0);
        const seconds = scenario.watchMs / 1000;
        samples.add(`idle ${kind} ${side}`, {
          mb: pids.map(pssMb).reduce((sum, one) => sum + one, 0) / count,
          percent: (ticks / TICKS_PER_SECOND / seconds / count) * 100,
        });
      } finally {
        await Promise.all(workers.map(end));
      }
    }
  }
}

function startWorkers(runs, { mark, home, store }) {
  const env = { PATH: process.env.PATH, HOME: home, STOPGATE_STORE: store, [MARK]: mark };
  const args = ['worker', 'run', '--agent', 'true', '--type', 'persistent'];
  return runs.map((more) => spawn(process.execPath, [BIN, ...args, ...more], { env, cwd: home, stdio: 'ignore' }));
}

async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

const read = (pid, file) => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // it has ended
    return '';
  }
};
const allPids = () => readdirSync('/proc').filter((name) => /^\d+$/.test(name));
const marked = (mark) => allPids().filter((pid) => `\0${read(pid, 'environ')}`.includes(`\0${MARK}=${mark}\0`));
/** After the name, which may contain spaces. */
const statOf = (pid) => read(pid, 'stat').split(') ').at(-1)?.split(' ') ?? [];
const childrenOf = (parent) => allPids().filter((pid) => statOf(pid)[1] === String(parent));
const ticksOf = (pid) => Number(statOf(pid)[11] ?? 0) + Number(statOf(pid)[12] ?? 0);
const pssMb = (pid) => Number(/^Pss:\s+(\d+) kB$/m.exec(read(pid, 'smaps_rollup'))?.[1] ?? 0) / 1024;
