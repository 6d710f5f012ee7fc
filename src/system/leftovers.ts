import { readFileSync } from 'node:fs';
import type { Clock } from './clock.ts';
import { markedProcesses, signalProcess } from './markedProcesses.ts';
import type { Mark } from './marks.ts';
import { hasLivingOrphans, signalGroup } from './processGroup.ts';

/** A process that outlived the command that started it. */
export interface Leftover {
  readonly pid: number;
  /** Its command line, shortened. */
  readonly command: string;
}

export interface LeftoverSearch {
  readonly mark: Mark;
  readonly value: string;
  /** The process group of the command, where it is known: without /proc that is all that can be found. */
  readonly group: number | undefined;
  readonly clock: Clock;
}

/** What ends by itself within this time was on its way out. */
const ENDING_MS = 250;
const GRACE_MS = 2_000;
const LOOK_MS = 20;
const LONGEST_COMMAND = 80;

/** Ends what a command left behind: its group, and by its mark what left the group (setsid). Resolves with what it ended. */
export async function endLeftovers({ mark, value, group, clock }: LeftoverSearch): Promise<readonly Leftover[]> {
  const living = () => markedProcesses(mark, value);
  const hasGroup = () => group !== undefined && hasLivingOrphans(group);
  const areGone = async (withinMs: number) => {
    const until = clock.now() + withinMs;
    while (living().length > 0 || hasGroup()) {
      if (clock.now() >= until) return false;
      await clock.sleep(LOOK_MS);
    }
    return true;
  };
  const signal = (name: NodeJS.Signals) => {
    for (const pid of living()) signalProcess(pid, name);
    if (group !== undefined && hasGroup()) signalGroup(group, name);
  };
  if (await areGone(ENDING_MS)) return [];
  const marked = living().map((pid) => ({ pid, command: commandOf(pid) }));
  const found = marked.length > 0 ? marked : [{ pid: group ?? 0, command: 'its process group' }];
  signal('SIGTERM');
  if (!(await areGone(GRACE_MS))) signal('SIGKILL');
  return found;
}

function commandOf(pid: number): string {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim();
    return words.length > LONGEST_COMMAND ? `${words.slice(0, LONGEST_COMMAND)}…` : words;
  } catch {
    return 'unknown';
  }
}
