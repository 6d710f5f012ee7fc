import { describe, expect, it } from 'vitest';
import { seededRandom } from './chance.ts';
import type { Scenario } from './scenario.ts';
import type { SimulationResult } from './simulation.ts';
import { startSimulation } from './simulation.ts';
import type { SimulationWatch } from './simulationState.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const base: Scenario = {
  seed: 1,
  workers: 4,
  minWorkers: 0,
  idleLimitsMs: [10 * MINUTE],
  startUpMs: 20_000,
  arrivals: { type: 'poisson', perMs: 20 / HOUR },
  maxTasks: 100_000,
  durationMs: 24 * HOUR,
  lengths: { type: 'exponential', meanMs: 10 * MINUTE },
  failRate: 0,
  crashRate: 0,
  rateLimit: null,
  tickMs: 5_000,
  watches: 'processes',
};

function simulate(changes: Partial<Scenario> = {}, watch: SimulationWatch = {}): SimulationResult {
  const simulation = startSimulation({ ...base, ...changes }, watch);
  while (simulation.run(10_000));
  return simulation.result();
}

/** Everything that must hold whatever the scenario is; throws at the first breach. */
function invariants(): SimulationWatch & { readonly ended: () => { done: number; dead: number; open: number } } {
  const tasks = new Map<number, 'waiting' | 'held' | 'done' | 'dead'>();
  const must = (holds: boolean, what: string) => {
    if (!holds) throw new Error(what);
  };
  const count = (state: string) => [...tasks.values()].filter((one) => one === state).length;
  return {
    added: (task) => {
      must(!tasks.has(task), `task ${task} was added twice`);
      tasks.set(task, 'waiting');
    },
    claimed: (task, worker) => {
      must(tasks.get(task) === 'waiting', `task ${task} was ${tasks.get(task)} when it was claimed`);
      must(
        (worker.pausedUntil ?? 0) <= (worker.lastClaimedAt ?? 0),
        `${worker.name} claimed while its account was paused`,
      );
      tasks.set(task, 'held');
    },
    settled: (task, how) => {
      must(tasks.get(task) === 'held', `task ${task} was ${tasks.get(task)} when it was settled`);
      tasks.set(task, how === 'back' ? 'waiting' : how);
    },
    stopped: (worker, now) => {
      must(worker.taskId === null, `${worker.name} stopped with a task`);
      const since = Math.max(worker.registeredAt, worker.lastClaimedAt ?? 0, worker.lastSettledAt ?? 0);
      must(now - since === worker.idleLimitMs, `${worker.name} stopped after ${now - since} ms`);
    },
    ended: () => ({ done: count('done'), dead: count('dead'), open: count('waiting') + count('held') }),
  };
}

/** A scenario by chance, with everything that can go wrong in it. */
function anyScenario(seed: number): Scenario {
  const random = seededRandom(seed);
  const from = (low: number, high: number) => low + (high - low) * random();
  return {
    ...base,
    seed,
    workers: Math.ceil(from(0, 12)),
    minWorkers: random() < 0.3 ? 1 : 0,
    idleLimitsMs: random() < 0.2 ? [5 * MINUTE, null, 30 * MINUTE] : [Math.ceil(from(1, 30 * MINUTE))],
    startUpMs: Math.round(from(0, MINUTE)),
    arrivals:
      random() < 0.5 ? { type: 'poisson', perMs: from(1, 60) / HOUR } : { type: 'burst', size: 30, everyMs: 2 * HOUR },
    lengths: { type: 'lognormal', medianMs: from(1, 20) * MINUTE, sigma: 1 },
    failRate: from(0, 0.3),
    crashRate: from(0, 0.3),
    rateLimit:
      random() < 0.5 ? { everyMs: Math.round(from(1, 4) * HOUR), forMs: Math.round(from(1, 50) * MINUTE) } : null,
    watches: random() < 0.5 ? 'processes' : 'heartbeats',
  };
}

describe('a simulated fleet', () => {
  it.each(Array.from({ length: 60 }, (_unused, seed) => seed))('keeps every invariant, seed %i', (seed) => {
    const watch = invariants();
    const result = simulate(anyScenario(seed), watch);
    const { done, dead, open } = watch.ended();
    expect(open).toBe(0);
    expect({ done, dead }).toEqual({ done: result.done, dead: result.dead });
    expect(result.done + result.dead).toBe(result.tasks);
    expect(result.mostLive).toBeLessThanOrEqual(anyScenario(seed).workers);
  });

  it('is the same for the same seed, and another for another', () => {
    expect(simulate(anyScenario(7))).toEqual(simulate(anyScenario(7)));
    expect(simulate({ seed: 7 })).not.toEqual(simulate({ seed: 8 }));
  });

  it('gives alternatives the same tasks', () => {
    const [few, many] = [simulate({ workers: 2 }), simulate({ workers: 50 })];
    expect(few.tasks).toBe(many.tasks);
    expect(few.busyHours).toBeCloseTo(many.busyHours, 6);
    expect(few.waiting.meanMs).toBeGreaterThan(many.waiting.meanMs);
  });

  it('waits as long as theory predicts (M/M/4 at 83% load, kept workers)', () => {
    const arrivals = { type: 'poisson', perMs: 20 / HOUR } as const;
    const result = simulate({ arrivals, minWorkers: 4, maxTasks: 400_000, durationMs: null });
    // Erlang C: 0.6577 wait, for 15 min each
    expect(result.waiting.meanMs / MINUTE).toBeGreaterThan(9.87 * 0.95);
    expect(result.waiting.meanMs / MINUTE).toBeLessThan(9.87 * 1.05);
    expect(result.utilisation).toBeCloseTo(20 / 24, 1);
  });

  it('lets a worker go exactly at its limit and starts it again for the next task', () => {
    const arrivals = { type: 'every', everyMs: 30 * MINUTE } as const;
    const result = simulate({
      workers: 1,
      arrivals,
      lengths: { type: 'fixed', ms: 5 * MINUTE },
      durationMs: 24 * HOUR,
    });
    expect(result).toMatchObject({ tasks: 48, done: 48, starts: 48, idleStops: 48, replacements: 0 });
    expect(result.idleHours).toBeCloseTo(8, 6);
    expect(result.waiting.maxMs).toBe(25_000);
  });

  it('keeps a worker whose limit is longer than the gap', () => {
    const arrivals = { type: 'every', everyMs: 30 * MINUTE } as const;
    const result = simulate({
      workers: 1,
      arrivals,
      lengths: { type: 'fixed', ms: 5 * MINUTE },
      idleLimitsMs: [30 * MINUTE],
    });
    expect(result).toMatchObject({ starts: 1, idleStops: 1, done: 48 });
  });

  it('sets a task aside after its third crash, and replaces workers with growing delays', () => {
    const result = simulate({
      crashRate: 1,
      arrivals: { type: 'burst', size: 2, everyMs: null },
      maxTasks: 2,
      durationMs: null,
    });
    expect(result).toMatchObject({ done: 0, dead: 2, attempts: 6, crashes: 6, starts: 6 });
  });

  it('counts no limit as a failure, and continues where it stopped', () => {
    const result = simulate({
      workers: 1,
      arrivals: { type: 'burst', size: 1, everyMs: null },
      lengths: { type: 'fixed', ms: 90 * MINUTE },
      rateLimit: { everyMs: HOUR, forMs: 5 * MINUTE },
      durationMs: null,
      maxTasks: 1,
    });
    expect(result).toMatchObject({ done: 1, failures: 0, crashes: 0, rateLimited: 1, attempts: 2 });
    expect(result.busyHours).toBeCloseTo(1.5, 6);
    expect(result.finishing.maxMs).toBeLessThan(97 * MINUTE);
  });

  it('finds a crash later when it has only heartbeats to go by', () => {
    const crashing = { crashRate: 0.2, arrivals: { type: 'every', everyMs: HOUR } as const };
    const [near, far] = [simulate(crashing), simulate({ ...crashing, watches: 'heartbeats' })];
    expect(far.finishing.meanMs).toBeGreaterThan(near.finishing.meanMs);
  });

  it('has a timeline that adds up to its hours', () => {
    const { timeline, busyHours } = simulate();
    const sum = timeline.reduce((hours, { fromMs, toMs, busy }) => hours + (busy * (toMs - fromMs)) / HOUR, 0);
    expect(sum).toBeCloseTo(busyHours, 6);
  });
});
