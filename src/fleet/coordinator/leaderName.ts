import { isSameProcess } from '../../system/processLife.ts';

/** A coordinator by its process, so that one that was killed can be told from one that lives. */
export interface LeaderProcess {
  readonly host: string;
  readonly pid: number;
  readonly pidStart: string | null;
}

export function leaderName({ host, pid, pidStart }: LeaderProcess): string {
  return `${host}:${pid}:${pidStart ?? ''}`;
}

/** Null for a name that some other program chose. */
export function readLeaderName(name: string): LeaderProcess | null {
  const [, host, pid, pidStart] = /^(.+):(\d+):(\d*)$/.exec(name) ?? [];
  return host === undefined ? null : { host, pid: Number(pid), pidStart: pidStart || null };
}

/** Only ever true of processes of this host. */
export function isLeaderGone(name: string, host: string): boolean {
  const leader = readLeaderName(name);
  return leader?.host === host && !isSameProcess(leader.pid, leader.pidStart ?? undefined);
}
