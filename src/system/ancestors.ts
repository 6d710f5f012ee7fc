import { readFileSync, readlinkSync } from 'node:fs';

/** A process that this one descends from. */
export interface Ancestor {
  readonly pid: number;
  /** As the kernel counts it: with the pid it names one process for good. */
  readonly startedAt: string;
  /** Its command line. */
  readonly words: readonly string[];
}

const MOST_LEVELS = 256;

/**
 * Every process above this one, its parent first. Unlike the environment, a process cannot choose them; only one that outlives
 * its parent is handed to init and has none of them left. Empty where there is no /proc.
 */
export function ancestorsOf(parentPid = process.ppid): readonly Ancestor[] {
  const found: Ancestor[] = [];
  for (let pid = parentPid; pid > 0 && found.length < MOST_LEVELS; ) {
    const stat = procFile(pid, 'stat');
    if (stat === undefined) break;
    // the name before may hold anything
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const words = (procFile(pid, 'cmdline') ?? '').split('\0').slice(0, -1);
    found.push({ pid, startedAt: fields[19] ?? '', words });
    pid = Number(fields[1]);
  }
  return found;
}

/** The environment that a process was started with, whatever it has changed since; null when it cannot be read. */
export function startEnvironment(pid: number): Readonly<Record<string, string>> | null {
  const text = procFile(pid, 'environ');
  if (text === undefined) return null;
  const entries = text.split('\0').flatMap((entry) => {
    const at = entry.indexOf('=');
    return at > 0 ? [[entry.slice(0, at), entry.slice(at + 1)] as const] : [];
  });
  return Object.fromEntries(entries);
}

/** The folder that a process works in; null when it cannot be read. */
export function folderOfProcess(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}

function procFile(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return undefined;
  }
}
