import { isProcessGone, type ProcessFacts } from '../../system/processLife.ts';
import { hostNameOf } from '../../system/thisHost.ts';

/** Identifies a coordinator by its process, so that a killed one can be detected. */
export function leaderName({ host, pid, pidStart }: ProcessFacts): string {
  return `${host}:${pid}:${pidStart ?? ''}`;
}

/** Null for a name in another format. */
export function readLeaderName(name: string): ProcessFacts | null {
  const [, host, pid, pidStart] = /^(.+):(\d+):([^:]*)$/.exec(name) ?? [];
  return host === undefined ? null : { host, pid: Number(pid), pidStart: pidStart || null };
}

/** For people; a name in another format as it is. */
export function describeLeader(name: string): string {
  const leader = readLeaderName(name);
  return leader === null ? name : `process ${leader.pid} on ${hostNameOf(leader.host)}`;
}

/** Only true for processes of this host. */
export function isLeaderGone(name: string, host: string): boolean {
  const leader = readLeaderName(name);
  return leader !== null && isProcessGone(leader, host);
}
