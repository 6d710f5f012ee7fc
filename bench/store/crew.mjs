import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { performance } from 'node:perf_hooks';

const SCRIPT = path.join(import.meta.dirname, 'workerProcess.mjs');
/** The delay before a start, so that all workers have received the order by then. */
const NOTICE_MS = 60;
const LIMIT_MS = 120_000;

/** The processes of one contestant, reused from cell to cell: starting sixteen takes longer than measuring. */
export async function startCrew(contestant, setup, size) {
  const members = await Promise.all(Array.from({ length: size }, () => startMember(contestant, setup)));
  return {
    /** Runs `count` workers at one place for a while; returns their results, in total and each. */
    measure: async (place, { count, windowMs }) => {
      const working = members.slice(0, count);
      const before = await Promise.all(working.map((member, number) => member.request('open', { place, number })));
      try {
        const startAt = performance.timeOrigin + performance.now() + NOTICE_MS;
        const reports = await Promise.all(working.map((member) => member.request('work', { startAt, windowMs })));
        const figures = summarize(reports);
        // tasks that were done before the measurement are gone, too
        return { ...figures, gone: before.reduce((sum, count) => sum + count, figures.total) };
      } finally {
        await Promise.all(working.map((member) => member.request('close')));
      }
    },
    /** One member that stays at a place, works for several windows, and reports the total at the end. */
    settle: async (number, place) => {
      const member = members[number];
      const before = await member.request('open', { place, number });
      let total = 0;
      let workedMs = 0;
      return {
        work: async (windowMs) => {
          const { count, ms } = await member.request('work', { windowMs });
          total += count;
          workedMs += ms;
        },
        leave: async () => {
          await member.request('close');
          return { perSecond: (total / Math.max(1, workedMs)) * 1000, gone: before + total };
        },
      };
    },
    /** The last member does nothing but keep the store open for the others until the returned function is called. */
    serve: async (place) => {
      const server = members.at(-1);
      await server.request('serve', { place });
      return () => server.request('close');
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(members.map((member) => member.end()));
    },
  };
}

function summarize(reports) {
  const counts = reports.map(({ count }) => count);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const claims = reports.flatMap((report) => report.claims).toSorted((a, b) => a - b);
  return {
    total,
    // slow ones finish after the window, and their real time counts
    perSecond: (total / Math.max(1, ...reports.map(({ ms }) => ms))) * 1000,
    share: Math.min(...counts) / Math.max(1, ...counts),
    fewest: Math.min(...counts),
    most: Math.max(...counts),
    worstMs: claims.at(-1) ?? 0,
    p99Ms: claims[Math.floor(claims.length * 0.99)] ?? 0,
  };
}

async function startMember(contestant, setup) {
  const child = fork(SCRIPT, [contestant, JSON.stringify(setup)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const answers = [];
  child.on('message', (message) => answers.shift()?.(message));
  child.on('exit', (code, signal) => {
    for (const answer of answers.splice(0)) answer({ error: `${contestant} ended with ${signal ?? code}` });
  });
  const answered = () =>
    new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`${contestant} did not answer`)), LIMIT_MS);
      answers.push(({ error, result }) => {
        clearTimeout(late);
        if (error) reject(new Error(error));
        else resolve(result);
      });
    });
  await answered();
  return {
    request: (command, details = {}) => {
      const answer = answered();
      child.send({ command, ...details });
      return answer;
    },
    end: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill();
      await once(child, 'exit');
    },
  };
}
