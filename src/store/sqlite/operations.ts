import { accounts, pauseAccount, resumeAccount } from './operations/accounts.ts';
import { acknowledge } from './operations/acknowledge.ts';
import { addTasks } from './operations/addTasks.ts';
import { amendTask } from './operations/amendTask.ts';
import { cancel, hold, redrive, unhold } from './operations/changeTask.ts';
import { claim } from './operations/claim.ts';
import { complete } from './operations/complete.ts';
import { counts } from './operations/counts.ts';
import { events } from './operations/events.ts';
import { expireOffers } from './operations/expireOffers.ts';
import { extend } from './operations/extend.ts';
import { fail } from './operations/fail.ts';
import { task } from './operations/findTask.ts';
import { heartbeat } from './operations/heartbeat.ts';
import { endLaunch, launch, launches } from './operations/launch.ts';
import { lead, resign } from './operations/leaders.ts';
import { listTasks } from './operations/listTasks.ts';
import { about, cancelMove, startMove } from './operations/move.ts';
import { probe } from './operations/probe.ts';
import { pauseQueue, resumeQueue } from './operations/queues.ts';
import { readiness } from './operations/readiness.ts';
import { attempts, workers } from './operations/readWorkers.ts';
import { reap } from './operations/reap.ts';
import { registerWorker } from './operations/registerWorker.ts';
import { release } from './operations/release.ts';
import { deferReclaim, drainWorker, stopWorker } from './operations/stopWorker.ts';
import { updateWorker } from './operations/updateWorker.ts';
import { settleVerification, takeVerification } from './operations/verification.ts';

/** Each runs inside a transaction that holds the write lock from its beginning. */
export const WRITES = {
  addTasks,
  amendTask,
  cancel,
  redrive,
  hold,
  unhold,
  pauseQueue,
  resumeQueue,
  claim,
  acknowledge,
  heartbeat,
  complete,
  fail,
  release,
  extend,
  takeVerification,
  settleVerification,
  launch,
  endLaunch,
  registerWorker,
  updateWorker,
  drainWorker,
  stopWorker,
  reap,
  deferReclaim,
  expireOffers,
  pauseAccount,
  resumeAccount,
  lead,
  resign,
};

/** Each sees one state of the store and changes nothing. */
export const READS = {
  task,
  listTasks,
  counts,
  attempts,
  workers,
  launches,
  accounts,
  readiness,
  events,
  about,
  probe,
};

/** Writes that also a store answers whose tasks have moved away. */
export const MOVES = { startMove, cancelMove };
