import type { Clock } from '../../system/clock.ts';
import { describeLeftovers, endLeftovers, findLeftovers, type Leftover } from '../../system/leftovers.ts';
import { markedProcesses, signalProcess } from '../../system/markedProcesses.ts';
import { MARKS } from '../../system/marks.ts';
import type { ProcessRunner } from '../../system/processes.ts';

export type SessionLeftovers = ReturnType<typeof sessionLeftovers>;

/** Processes that the model's commands leave in other process groups (`setsid`), found by a mark in their environment. */
export function sessionLeftovers(processes: ProcessRunner, value: string, clock: Clock) {
  let ran = false;
  /** By the caller of `find`. */
  let named: ReadonlySet<number> = new Set();
  const search = { mark: MARKS.session, value, group: undefined, clock };
  return {
    /** The environment of the model's commands, with the mark. */
    mark: (env: Readonly<Record<string, string>>) => ({ ...env, [MARKS.session]: value }),
    /** The same runner, which also records whether any command ran. */
    processes: {
      start: (spec) => {
        ran = true;
        return processes.start(spec);
      },
      endAll: () => processes.endAll(),
      killAll: () => processes.killAll(),
    } satisfies ProcessRunner,
    /** Ends them; returns a sentence that names those that were not named yet. */
    async end(): Promise<readonly string[]> {
      if (!ran) return [];
      const found = (await endLeftovers(search)).filter(({ pid }) => !named.has(pid));
      return found.length === 0 ? [] : [`Ended processes that a command left running: ${describeLeftovers(found)}.`];
    },
    /** Those that run now, without those that end by themselves soon. */
    async find(): Promise<readonly Leftover[]> {
      const found = ran ? await findLeftovers(search) : [];
      named = new Set(found.map(({ pid }) => pid));
      return found;
    },
    /** For an exit that cannot wait. */
    kill: () => {
      if (ran) for (const pid of markedProcesses(MARKS.session, value)) signalProcess(pid, 'SIGKILL');
    },
  };
}
