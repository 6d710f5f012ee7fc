import type { FleetEvent } from '../../../fleet/coordinator/fleetEvent.ts';
import { durationInWords } from '../../output/durations.ts';

type Words = { readonly [Type in FleetEvent['type']]: (event: Extract<FleetEvent, { type: Type }>) => string };

const ENDINGS = {
  idle: 'was idle for long enough and was let go',
  drained: 'is drained',
  rateLimited: 'met a limit of its account',
  clean: 'ended',
  crashed: 'is gone',
  launchFailed: 'did not come up, or could not start its agent; see its log',
} as const;

const END_WHY = {
  silent: 'it has not been heard of',
  outlived: 'what it worked on is over',
  orphaned: 'it is gone, but not what it started',
  overstayed: 'it should have stopped for being idle',
  stalled: 'it does not get on',
  shutdown: 'the fleet goes down',
  launchFailed: 'it never registered',
} as const;

const RESTING = {
  backoff: 'starts again',
  crashLoop: 'has crashed too often and rests; it starts again',
  fruitless: 'ended too often without doing anything and rests; it starts again',
} as const;

const BACK = {
  lost: 'goes back to the queue',
  drained: 'is handed back, without blame',
  rateLimited: 'is handed back, without blame',
  continued: 'is handed back to be continued',
} as const;

const at = (moment: number) => `at ${new Date(moment).toTimeString().slice(0, 8)}`;

const WORDS: Words = {
  leading: ({ epoch }) => `leading this fleet (term ${epoch})`,
  following: ({ holder }) =>
    `another coordinator leads this fleet (${holder}); watching, and taking over when it is gone`,
  started: ({ worker, pid, why }) => `${worker} started, process ${pid}${why === 'kept' ? '' : ': tasks wait'}`,
  notStarted: ({ worker, reason }) => `${worker} could not be started: ${reason}`,
  adopted: ({ worker, pid }) => `${worker} is running already${pid === null ? '' : `, process ${pid}`}`,
  suspect: ({ worker, dueAt }) => `${worker} is silent; it has until ${at(dueAt).slice(3)} to be heard of`,
  ending: ({ worker, why }) => `ending ${worker}: ${END_WHY[why]}`,
  ended: ({ worker, ending, exitCode, signal }) =>
    `${worker} ${ENDINGS[ending]}${exitCode ? ` (exit ${exitCode})` : ''}${signal ? ` (${signal})` : ''}`,
  reclaimed: ({ worker, taskId, taskState, as }) =>
    `task ${taskId} of ${worker} ${taskState === 'dead' ? 'is dead: it was given back too often' : BACK[as]}`,
  deferred: ({ worker, taskId }) =>
    `${worker} does not die${taskId === null ? '' : `; it keeps task ${taskId}, so that two never work on it`}`,
  stalled: ({ worker, silentMs }) => `${worker} has done nothing for ${durationInWords(silentMs)}`,
  draining: ({ worker, why }) =>
    `${worker} finishes its task and goes${why === 'shutdown' ? '' : ': there are too many'}`,
  resting: ({ worker, why, untilAt }) => `${worker} ${RESTING[why]} ${at(untilAt)}`,
  hostResting: ({ untilAt }) => `everything crashes on this host; nothing is started before ${at(untilAt).slice(3)}`,
  hostFull: () => 'tasks wait, but this host is too busy for another worker (--ignore-load starts it all the same)',
  accountPaused: ({ account, untilAt, source }) =>
    `the account ${account} rests${source === null ? '' : ` (${source})`}; nothing is started before ${at(untilAt).slice(3)}, or \`stopgate account resume ${account}\``,
  accountResumed: ({ account }) => `the account ${account} is used again`,
  storeUnavailable: ({ reason }) => `the store cannot be asked; workers go on, and it is tried again: ${reason}`,
  storeBack: () => 'the store answers again',
  slept: () => 'this machine slept or its clock jumped: everybody has a whole window to be heard of',
  shuttingDown: ({ withinMs }) => `going down within ${durationInWords(withinMs)}; once more hurries`,
  down: ({ left }) => (left.length === 0 ? 'down; nothing is left running' : `down; left behind: ${left.join(', ')}`),
};

/** One line for a person. */
export function fleetEventInWords(event: FleetEvent): string {
  const word = WORDS[event.type] as (event: FleetEvent) => string;
  return word(event);
}
