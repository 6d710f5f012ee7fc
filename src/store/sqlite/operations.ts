import { accounts, lead, pauseAccount, resign, resumeAccount } from './operations/accounts.ts';
import { addTasks } from './operations/addTasks.ts';
import { amendTask } from './operations/amendTask.ts';
import { cancel, hold, pauseQueue, redrive, resumeQueue, unhold } from './operations/changeTask.ts';
import { claim } from './operations/claim.ts';
import { about, cancelMove, startMove } from './operations/move.ts';
import { expireOffers } from './operations/offers.ts';
import { attempts, counts, events, listTasks, task, workers } from './operations/reads.ts';
import { probe, readiness } from './operations/ready.ts';
import { reap } from './operations/reap.ts';
import { acknowledge, complete, extend, fail, heartbeat, release } from './operations/settle.ts';
import { settleVerification, takeVerification } from './operations/verification.ts';
import {
  deferReclaim,
  drainWorker,
  endLaunch,
  launch,
  launches,
  registerWorker,
  stopWorker,
  updateWorker,
} from './operations/workers.ts';

/** Each runs inside a transaction that holds the write lock from its start. */
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

/** Writes that still work after the tasks have moved to another store. */
export const MOVES = { startMove, cancelMove };
