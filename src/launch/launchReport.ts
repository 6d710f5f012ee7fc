import { constants } from 'node:os';
import type { Spend } from '../hosts/host.ts';
import type { GateEnding } from '../stop/ending.ts';
import { isRunEndingExit } from '../stop/runEnding.ts';
import type { Leftover } from '../system/leftovers.ts';
import type { KeptWork } from './keepWork.ts';
import type { AgentEnd } from './superviseAgent.ts';

/** How a launch ended, from what was observed, never from the agent's own words. */
export interface LaunchReport {
  readonly type: 'launch_report';
  readonly id: string;
  readonly agent: string;
  readonly folder: string;
  readonly how: 'finished' | 'left_running' | 'no_work' | 'failed' | 'crashed' | 'notStarted' | 'expired' | 'stopped';
  readonly why: string;
  readonly exitCode: number;
  readonly startedAt: string;
  readonly usedMs: number;
  readonly budgetMs: number;
  readonly commits: readonly { readonly commit: string; readonly subject: string }[];
  readonly commitCount: number;
  /** How the checks of `stopgate.config.json` ended. */
  readonly checks: GateEnding;
  /** Processes that it left running at its end, which were ended then. */
  readonly leftRunning: readonly Leftover[];
  readonly kept: KeptWork;
  readonly spend: Spend | null;
  readonly notes: readonly string[];
}

/** The codes of `timeout`. */
const EXPIRED_CODE = 124;
const STOPPED_CODE = 125;
const NOT_STARTED_CODE = 127;

export type Ending = Pick<LaunchReport, 'how' | 'why' | 'exitCode'>;

/** `limit`: a sentence about the limit that the agent reached; it counts more than how its process ended. */
export function endingOf(agentEnd: AgentEnd, limit: string | null = null, isOwn = false): Ending {
  const { end } = agentEnd;
  if (end.type === 'notStarted')
    return { how: 'notStarted', why: end.error.replace(/\.$/, ''), exitCode: NOT_STARTED_CODE };
  if (agentEnd.type === 'expired') {
    return { how: 'expired', why: 'its time and grace were over, so it was ended', exitCode: EXPIRED_CODE };
  }
  if (agentEnd.type === 'stopped') return { how: 'stopped', why: agentEnd.reason, exitCode: STOPPED_CODE };
  if (limit !== null) return { how: 'stopped', why: limit, exitCode: STOPPED_CODE };
  // our own agent recorded in the ledger what its code means
  const isClean = end.type === 'exited' && (end.code === 0 || (isOwn && isRunEndingExit(end.code)));
  if (isClean) return { how: 'finished', why: 'it ended by itself', exitCode: 0 };
  if (end.type === 'exited') return { how: 'failed', why: `it exited with code ${end.code}`, exitCode: end.code };
  const signal = end.type === 'signalled' ? end.signal : 'SIGKILL';
  const number = constants.signals[signal as keyof typeof constants.signals] ?? 0;
  // like a shell
  return { how: 'crashed', why: `it was ended by ${signal}`, exitCode: 128 + number };
}
