import { type Clock, endsWithin } from './clock.ts';
import { markedProcesses, signalProcess } from './markedProcesses.ts';
import type { Mark } from './marks.ts';
import { hasLivingOrphans, signalGroup } from './processGroup.ts';
import { readProc } from './procfs.ts';

/** A process that outlived the command that started it. */
export interface Leftover {
  readonly pid: number;
  /** Its command line, shortened. */
  readonly command: string;
}

export interface LeftoverSearch {
  readonly mark: Mark;
  readonly value: string;
  /** The process group of the command, if known: without /proc only the group can be found. */
  readonly group: number | undefined;
  readonly clock: Clock;
}

/** Processes that end by themselves within this time do not count. */
const ENDING_MS = 250;
const GRACE_MS = 2_000;
const LONGEST_COMMAND = 80;

/** Ends the processes that a command left behind: its group, and by its mark those that left the group (setsid). */
export async function endLeftovers({ mark, value, group, clock }: LeftoverSearch): Promise<readonly Leftover[]> {
  const living = () => markedProcesses(mark, value);
  const hasGroup = () => group !== undefined && hasLivingOrphans(group);
  const areGone = (ms: number) => endsWithin(clock, ms, () => living().length > 0 || hasGroup());
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
  const words = readProc(pid, 'cmdline')?.split('\0').join(' ').trim() ?? 'unknown';
  return words.length > LONGEST_COMMAND ? `${words.slice(0, LONGEST_COMMAND)}…` : words;
}
