import { type Clock, endsWithin } from './clock.ts';
import { formatSeconds } from './formatDuration.ts';
import { markedProcesses, signalProcess } from './markedProcesses.ts';
import type { Mark } from './marks.ts';
import { hasLivingOrphans, signalGroup } from './processGroup.ts';
import { processAgeMs, readProc } from './procfs.ts';

/** A process that outlived the command that started it. */
export interface Leftover {
  readonly pid: number;
  /** Its command line, shortened. */
  readonly command: string;
  /** Since it started; null when unknown. */
  readonly ageMs: number | null;
}

export interface LeftoverSearch {
  readonly mark: Mark;
  readonly value: string;
  /** The process group of the command, if known: without /proc only the group can be found. */
  readonly group: number | undefined;
  readonly clock: Clock;
  /** Processes that end by themselves within this time do not count. */
  readonly endingMs?: number;
}

const ENDING_MS = 250;
const GRACE_MS = 2_000;
const LONGEST_COMMAND = 80;
const MAX_NAMED = 5;

/** The processes that a command left behind: its group, and by its mark those that left the group (setsid). */
export async function findLeftovers(search: LeftoverSearch): Promise<readonly Leftover[]> {
  if (await areGone(search, search.endingMs ?? ENDING_MS)) return [];
  const { mark, value, group } = search;
  const marked = markedProcesses(mark, value).map((pid) => {
    return { pid, command: commandOf(pid), ageMs: processAgeMs(pid) };
  });
  return marked.length > 0 ? marked : [{ pid: group ?? 0, command: 'its process group', ageMs: null }];
}

/** Ends them, and returns those that did not end by themselves. */
export async function endLeftovers(search: LeftoverSearch): Promise<readonly Leftover[]> {
  const found = await findLeftovers(search);
  if (found.length === 0) return [];
  signalAll(search, 'SIGTERM');
  if (!(await areGone(search, GRACE_MS))) signalAll(search, 'SIGKILL');
  return found;
}

/** `npm start (process 4711, 2m old), …` */
export function describeLeftovers(leftovers: readonly Leftover[]): string {
  const named = leftovers.slice(0, MAX_NAMED).map(({ pid, command, ageMs }) => {
    return `${command} (process ${pid}${ageMs === null ? '' : `, ${formatSeconds(ageMs)} old`})`;
  });
  const more = leftovers.length - named.length;
  return `${named.join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}

const hasGroup = ({ group }: LeftoverSearch) => group !== undefined && hasLivingOrphans(group);

const areGone = (search: LeftoverSearch, withinMs: number): Promise<boolean> => {
  const { mark, value, clock } = search;
  return endsWithin(clock, withinMs, () => markedProcesses(mark, value).length > 0 || hasGroup(search));
};

function signalAll(search: LeftoverSearch, name: NodeJS.Signals): void {
  for (const pid of markedProcesses(search.mark, search.value)) signalProcess(pid, name);
  if (search.group !== undefined && hasGroup(search)) signalGroup(search.group, name);
}

function commandOf(pid: number): string {
  const words = readProc(pid, 'cmdline')?.split('\0').join(' ').trim() || 'unknown';
  return words.length > LONGEST_COMMAND ? `${words.slice(0, LONGEST_COMMAND)}…` : words;
}
