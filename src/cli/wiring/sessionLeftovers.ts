import type { Clock } from '../../system/clock.ts';
import { endLeftovers } from '../../system/leftovers.ts';
import { markedProcesses, signalProcess } from '../../system/markedProcesses.ts';
import { MARKS } from '../../system/marks.ts';
import type { ProcessRunner } from '../../system/processes.ts';

export type SessionLeftovers = ReturnType<typeof sessionLeftovers>;

const MAX_NAMED = 5;

/** Processes that the model's commands leave in other process groups (`setsid`), found by a mark in their environment. */
export function sessionLeftovers(processes: ProcessRunner, value: string, clock: Clock) {
  let ran = false;
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
    /** Ends them; returns a sentence that names them. */
    async end(): Promise<readonly string[]> {
      if (!ran) return [];
      const found = await endLeftovers({ mark: MARKS.session, value, group: undefined, clock });
      if (found.length === 0) return [];
      const named = found.slice(0, MAX_NAMED).map(({ pid, command }) => `${command} (${pid})`);
      const more = found.length > MAX_NAMED ? `, and ${found.length - MAX_NAMED} more` : '';
      return [`Ended processes that a command left running: ${named.join(', ')}${more}.`];
    },
    /** For an exit that cannot wait. */
    kill: () => {
      if (ran) for (const pid of markedProcesses(MARKS.session, value)) signalProcess(pid, 'SIGKILL');
    },
  };
}
