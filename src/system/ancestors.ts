import { readlinkSync } from 'node:fs';
import { attempt } from './attempt.ts';
import { startIn } from './processLife.ts';
import { readProc, statFields } from './procfs.ts';

/** A process that this one descends from. */
export interface Ancestor {
  readonly pid: number;
  /** As the kernel counts it; with the pid it identifies one process. */
  readonly startedAt: string;
  /** Its command line. */
  readonly words: readonly string[];
}

const MOST_LEVELS = 256;

/**
 * Every process above this one, its parent first. Unlike its environment, a process cannot choose them, but it loses them
 * to init when it outlives its parent. Empty without /proc.
 */
export function ancestorsOf(parentPid = process.ppid): readonly Ancestor[] {
  const found: Ancestor[] = [];
  for (let pid = parentPid; pid > 0 && found.length < MOST_LEVELS; ) {
    const fields = statFields(pid);
    if (fields === undefined) break;
    const words = (readProc(pid, 'cmdline') ?? '').split('\0').slice(0, -1);
    found.push({ pid, startedAt: startIn(fields) ?? '', words });
    pid = Number(fields[1]);
  }
  return found;
}

/** The environment that a process was started with; null when it cannot be read. */
export function startEnvironment(pid: number): Readonly<Record<string, string>> | null {
  const text = readProc(pid, 'environ');
  if (text === undefined) return null;
  const entries = text.split('\0').flatMap((entry) => {
    const at = entry.indexOf('=');
    return at > 0 ? [[entry.slice(0, at), entry.slice(at + 1)] as const] : [];
  });
  return Object.fromEntries(entries);
}

/** The folder that a process works in; null when it cannot be read. */
export const folderOfProcess = (pid: number): string | null => attempt(() => readlinkSync(`/proc/${pid}/cwd`), null);
