import type { Clock } from '../../system/clock.ts';
import { processAgeMs, processIds, readProc, statFields } from '../../system/procfs.ts';
import type { BackgroundCommand } from '../openTasks.ts';
import type { StopWorld } from '../world.ts';

/** Waits for background commands that end; returns a note that names those that go on. */
export async function awaitBackground(
  commands: readonly BackgroundCommand[],
  world: StopWorld,
): Promise<readonly string[]> {
  const onWait = (names: readonly string[]) => world.onWait?.(`Stopgate: waiting for ${names.join(', ')} to end.`);
  const ceiling = Number(world.env.STOPGATE_BG_WAIT_CEILING_MS || Number.NaN);
  const longestMs = ceiling > 0 ? ceiling : undefined;
  const running = await waitForCommands({ ...world, commands, longestMs, onWait });
  const list = running.join(', ');
  return running.length === 0
    ? []
    : [`Stopgate: ${list} still running in the background; the stop was checked beside it.`];
}

interface BackgroundWait {
  readonly commands: readonly BackgroundCommand[];
  /** The agent's own process; its commands are below it. */
  readonly hostPid: number | null;
  readonly clock: Clock;
  readonly deadlineAt: number;
  /** A shorter limit than the usual one. */
  readonly longestMs?: number | undefined;
  readonly signal: AbortSignal;
  /** Called once with the names of what is waited for. */
  readonly onWait: (names: readonly string[]) => void;
}

/** A build or a test run ends within this time of its start; a server does not end at all. */
const LONGEST_MS = 60_000;
const POLL_MS = 200;

/**
 * Waits for background commands that end soon: their results are part of the work. By the age of a command, not by the time
 * waited: a later stop does not wait for the same server again. Returns the names of those that still run, which the checks
 * then run beside. Without /proc nothing is known about them, so all count as running.
 */
async function waitForCommands(wait: BackgroundWait): Promise<readonly string[]> {
  const { commands, hostPid, clock, signal, onWait } = wait;
  const names = commands.map(({ name }) => name);
  if (hostPid === null || processIds().length === 0) return names;
  const longestMs = Math.min(LONGEST_MS, wait.longestMs ?? LONGEST_MS);
  const look = () => agesOf(commands, hostPid);
  let ages = look();
  const young = () => [...ages.values()].some((ageMs) => ageMs < longestMs);
  if (young()) onWait([...ages.keys()]);
  while (young() && !signal.aborted && clock.now() < wait.deadlineAt) {
    await clock.sleep(POLL_MS, signal).catch(() => {});
    ages = look();
  }
  return [...ages.keys()];
}

/** The commands that run, with the time since each began. Hosts wrap them in a shell and quotes, so only letters are compared. */
function agesOf(commands: readonly BackgroundCommand[], hostPid: number): ReadonlyMap<string, number> {
  const processes = descendantsOf(hostPid).map((pid) => {
    return { line: letters(readProc(pid, 'cmdline') ?? ''), ageMs: processAgeMs(pid) ?? 0 };
  });
  return new Map(
    commands.flatMap(({ name, command }) => {
      const own = processes.filter(({ line }) => line.includes(letters(command)));
      return own.length === 0 ? [] : [[name, Math.max(...own.map(({ ageMs }) => ageMs))] as const];
    }),
  );
}

const letters = (text: string) => text.replaceAll(/["'\\\s\0]/g, '');

/** Without this process and what it started. */
function descendantsOf(ancestor: number): readonly number[] {
  const parents = new Map(processIds().map((pid) => [pid, Number(statFields(pid)?.[1] ?? 0)]));
  const isBelow = (pid: number): boolean => {
    for (let at = pid, level = 0; at > 1 && level < 256; at = parents.get(at) ?? 0, level++) {
      if (at === process.pid && ancestor !== process.pid) return false;
      if (at === ancestor) return pid !== ancestor;
    }
    return false;
  };
  return [...parents.keys()].filter(isBelow);
}
