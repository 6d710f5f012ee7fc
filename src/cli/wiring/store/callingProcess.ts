import { readFileSync } from 'node:fs';
import { startOfProcess } from '../../../system/processLife.ts';

/** A claim is active while this process lives. */
export interface CallingProcess {
  readonly pid: number;
  /** Null where the system does not provide it. */
  readonly startedAt: string | null;
}

const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'fish', 'ash', 'busybox']);
const MOST_LEVELS = 8;

/**
 * The caller, skipping shells that run only one command: the `sh -c …` of each call of an agent, and the copy of itself that a
 * script starts for `$(…)`. A claim must not look abandoned when such a shell ends. Null when that leads to init.
 */
export function callingProcess(parentPid = process.ppid): CallingProcess | null {
  let pid = parentPid;
  for (let level = 0; level < MOST_LEVELS && pid > 1; level++) {
    const parent = parentOf(pid);
    if (parent === undefined || !endsWithOneCommand(pid, parent))
      return { pid, startedAt: startOfProcess(pid) ?? null };
    pid = parent;
  }
  return null;
}

function endsWithOneCommand(pid: number, parent: number): boolean {
  const line = procFile(pid, 'cmdline') ?? '';
  const [program = '', ...args] = line.split('\0');
  // a login shell is called -bash
  const name = program.slice(program.lastIndexOf('/') + 1).replace(/^-/, '');
  if (!SHELLS.has(name)) return false;
  const firstWord = args.findIndex((arg) => !arg.startsWith('-'));
  const options = firstWord === -1 ? args : args.slice(0, firstWord);
  return options.some((arg) => /^-[a-z]*c[a-z]*$/.test(arg)) || line === procFile(parent, 'cmdline');
}

function parentOf(pid: number): number | undefined {
  const stat = procFile(pid, 'stat');
  // the name before it may contain anything
  return stat === undefined ? undefined : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

function procFile(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return undefined;
  }
}
