import type { FleetEvent } from '../../../fleet/coordinator/fleetEvent.ts';
import { describeLeader } from '../../../fleet/coordinator/leaderName.ts';
import { formatDuration } from '../../../system/formatDuration.ts';
import { describeShortage } from './describeShortage.ts';

const ENDINGS = {
  idle: 'reached its idle limit and stopped',
  drained: 'is drained',
  rateLimited: 'hit a limit of its account',
  clean: 'ended',
  crashed: 'crashed',
  launchFailed: 'did not start, or could not start its agent; see its log',
} as const;

const END_WHY = {
  silent: 'it stopped sending heartbeats',
  outlived: 'its task has ended',
  orphaned: 'it has ended, but processes that it started have not',
  overstayed: 'it is past its idle limit',
  stalled: 'it makes no progress',
  shutdown: 'the fleet is shutting down',
  launchFailed: 'it never registered',
} as const;

const PAUSED = {
  backoff: 'restarts',
  crashLoop: 'has crashed too often and is paused; it restarts',
  fruitless: 'ended too often without doing anything and is paused; it restarts',
} as const;

const REQUEUED = {
  lost: 'is requeued',
  drained: 'is requeued without a failure',
  rateLimited: 'is requeued without a failure',
  continued: 'is requeued to be continued',
} as const;

const timeOf = (at: number) => new Date(at).toTimeString().slice(0, 8);

const SENTENCES: { readonly [Type in FleetEvent['type']]: (event: Extract<FleetEvent, { type: Type }>) => string } = {
  leading: ({ epoch }) => `leading this fleet (term ${epoch})`,
  following: ({ holder }) =>
    `another coordinator leads this fleet (${describeLeader(holder)}); standing by to take over`,
  started: ({ worker, pid, why }) => `${worker} started, process ${pid}${why === 'kept' ? '' : ': tasks are waiting'}`,
  notStarted: ({ worker, reason }) => `${worker} could not be started: ${reason}`,
  adopted: ({ worker, pid }) => `${worker} is already running${pid === null ? '' : `, process ${pid}`}`,
  suspect: ({ worker, dueAt }) => `${worker} is silent; it has until ${timeOf(dueAt)} to send a heartbeat`,
  ending: ({ worker, why }) => `ending ${worker}: ${END_WHY[why]}`,
  ended: ({ worker, ending, exitCode, signal }) =>
    `${worker} ${ENDINGS[ending]}${exitCode ? ` (exit ${exitCode})` : ''}${signal ? ` (${signal})` : ''}`,
  reclaimed: ({ worker, taskId, taskState, as }) =>
    `task ${taskId} of ${worker} ${taskState === 'dead' ? `is dead: it was ${as === 'lost' ? 'lost' : 'released'} too often` : REQUEUED[as]}`,
  deferred: ({ worker, taskId }) =>
    `${worker} cannot be killed${taskId === null ? '' : `; it keeps task ${taskId}, so that no other worker works on it`}`,
  stalled: ({ worker, silentMs }) => `${worker} has done nothing for ${formatDuration(silentMs)}`,
  draining: ({ worker, why }) =>
    `${worker} finishes its task and then ends${why === 'shutdown' ? '' : ': there are too many workers'}`,
  resting: ({ worker, why, untilAt }) => `${worker} ${PAUSED[why]} at ${timeOf(untilAt)}`,
  hostResting: ({ untilAt }) => `too many workers crash on this host; no worker is started before ${timeOf(untilAt)}`,
  hostFull: ({ shortage }) => `another worker is needed, but ${describeShortage(shortage)}`,
  accountPaused: ({ account, untilAt, source }) =>
    `the account ${account} is paused${source === null ? '' : ` (${source})`}; no worker is started before ${timeOf(untilAt)} or \`stopgate account resume ${account}\``,
  accountResumed: ({ account }) => `the account ${account} is resumed`,
  storeUnavailable: ({ reason, movedTo }) =>
    movedTo === null
      ? `the store cannot be reached; workers continue, and it is retried: ${reason}`
      : `${reason} Nothing is started here any more: end this fleet (Ctrl-C), then run \`stopgate fleet up --store ${movedTo}\``,
  storeBack: () => 'the store can be reached again',
  delivered: ({ worker, taskId, settled, keptAt, refused }) =>
    `task ${taskId} of ${worker}: its settlement (${settled}) from ${timeOf(keptAt)} is ${refused === null ? 'delivered' : `${refused}; it is kept in the outbox of this host`}`,
  finishing: ({ note }) => note,
  slept: () => 'this machine slept or its clock jumped; every worker gets a full window for its next heartbeat',
  shuttingDown: ({ withinMs }) => `shutting down within ${formatDuration(withinMs)}; press Ctrl-C again to force`,
  down: ({ left }) => (left.length === 0 ? 'down; nothing is left running' : `down; still running: ${left.join(', ')}`),
};

/** One line for a person. */
export function describeFleetEvent(event: FleetEvent): string {
  const describe = SENTENCES[event.type] as (event: FleetEvent) => string;
  return describe(event);
}
