import { isProcessGone, type ProcessFacts } from '../../system/processLife.ts';

/** Identifies a coordinator by its process, so that a killed one can be detected. */
export function leaderName({ host, pid, pidStart }: ProcessFacts): string {
  return `${host}:${pid}:${pidStart ?? ''}`;
}

/** Null for a name in another format. */
export function readLeaderName(name: string): ProcessFacts | null {
  const [, host, pid, pidStart] = /^(.+):(\d+):([^:]*)$/.exec(name) ?? [];
  return host === undefined ? null : { host, pid: Number(pid), pidStart: pidStart || null };
}

/** Only true for processes of this host. */
export function isLeaderGone(name: string, host: string): boolean {
  const leader = readLeaderName(name);
  return leader !== null && isProcessGone(leader, host);
}
