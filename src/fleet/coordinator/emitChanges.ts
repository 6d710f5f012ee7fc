import type { Worker } from '../../store/types.ts';
import { isSameHost } from '../../system/thisHost.ts';
import { isOver } from '../decisions/liveness.ts';
import { decideSlotRestart, hostPausedUntil } from '../decisions/planStarts.ts';
import { isSlotOf } from './fleetSettings.ts';
import { type ActionContext, emitEnd, emitOnce } from './fleetTick.ts';
import { endingOf } from './runEnds.ts';

/** Emits what other processes did and why slots wait, each once. */
export function emitChanges(context: ActionContext): void {
  const { settings, facts, snapshot } = context;
  for (const worker of snapshot.workers) {
    if (isSlotOf(settings.name, worker.id)) emitWorkerChange(context, worker);
  }
  emitAccount(context);
  if (facts.leaderEpoch !== null && facts.shutdown === null) emitWaiting(context);
}

function emitAccount(context: ActionContext): void {
  const { settings, facts, memory } = context;
  const { accountKey: account } = settings;
  const { pausedUntil: untilAt = 0, source = null } = facts.account ?? {};
  if (untilAt > facts.now) emitOnce(context, 'account', { type: 'accountPaused', account, untilAt, source });
  else if (memory.reported.has('account')) emitOnce(context, 'account', { type: 'accountResumed', account });
}

function emitWorkerChange(context: ActionContext, worker: Worker): void {
  const { world, memory, settings } = context;
  const { id, incarnation, host, pid } = worker;
  const known = memory.of(id, incarnation);
  if (!isOver(worker)) {
    // not started by this coordinator
    if (!known.wasRunning && isSameHost(host, settings.host))
      world.emit({ type: 'adopted', worker: id, incarnation, pid });
    known.wasRunning = true;
  } else if (known.wasRunning && !known.isEndReported) emitEnd(context, worker, endingOf(worker.exitReason ?? ''));
}

/** Why slots stay empty although there is work for them. */
function emitWaiting(context: ActionContext): void {
  const { now, slots, ready, room, workers, most } = context.facts;
  const untilAt = hostPausedUntil(context.facts);
  emitOnce(context, 'hostResting', untilAt === null ? null : { type: 'hostResting', untilAt });
  const running = workers.filter(({ worker }) => !isOver(worker)).length;
  const isFull = ready > 0 && room === 0 && running < most;
  emitOnce(context, 'hostFull', isFull ? { type: 'hostFull' } : null);
  for (const { slot, isKept, ends } of slots) {
    const restart = decideSlotRestart(now, { slot, ends });
    if (restart.type !== 'wait' || restart.why === 'continuation' || (ready === 0 && !isKept)) continue;
    emitOnce(context, slot, { type: 'resting', worker: slot, why: restart.why, untilAt: restart.untilAt });
  }
}
