import { isSameProcess } from '../../system/processLife.ts';

/** Identifies a coordinator by its process, so that a killed one can be detected. */
export interface LeaderProcess {
  readonly host: string;
  readonly pid: number;
  readonly pidStart: string | null;
}

export function leaderName({ host, pid, pidStart }: LeaderProcess): string {
  return `${host}:${pid}:${pidStart ?? ''}`;
}

/** Null for a name in another format. */
export function readLeaderName(name: string): LeaderProcess | null {
  const [, host, pid, pidStart] = /^(.+):(\d+):(\d*)$/.exec(name) ?? [];
  return host === undefined ? null : { host, pid: Number(pid), pidStart: pidStart || null };
}

/** Only true for processes of this host. */
export function isLeaderGone(name: string, host: string): boolean {
  const leader = readLeaderName(name);
  return leader?.host === host && !isSameProcess(leader.pid, leader.pidStart ?? undefined);
}
