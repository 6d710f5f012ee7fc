import type { Worker } from '../../store/types.ts';
import type { FleetFacts } from '../decisions/fleetFacts.ts';
import { decideRestart, jitterOf, RESTART_POLICIES } from '../decisions/restartBudget.ts';
import type { ActionContext } from './actionContext.ts';
import type { FleetEvent } from './fleetEvent.ts';
import { type FleetMemory, memoryOf } from './fleetMemory.ts';
import { isSlotOf } from './fleetSettings.ts';
import { endingOf } from './runEnds.ts';

/** Emits what other processes did and why slots wait, each once. */
export function emitChanges(context: ActionContext): void {
  for (const worker of context.workers.values()) {
    if (isSlotOf(context.settings.name, worker.id)) emitWorkerChange(context, worker);
  }
  const { world, settings, facts, memory } = context;
  const paused = facts.account !== null && facts.account.pausedUntil > facts.now ? facts.account.pausedUntil : null;
  const { accountKey: account } = settings;
  once(memory, 'account', paused === null ? '' : String(paused), (isFirst) => {
    const source = facts.account?.source ?? null;
    if (paused !== null) world.emit({ type: 'accountPaused', account, untilAt: paused, source });
    else if (!isFirst) world.emit({ type: 'accountResumed', account });
  });
  if (facts.leaderEpoch !== null && facts.shutdown === null) emitWaiting(context, facts);
}

function emitWorkerChange({ world, memory, settings }: ActionContext, worker: Worker): void {
  const { id, incarnation, state, exitCode, exitReason, pid } = worker;
  const known = memoryOf(memory, id, incarnation);
  const isOver = state === 'stopped' || state === 'lost';
  if (!isOver) {
    // not started by this coordinator
    if (!known.wasRunning && worker.host === settings.host)
      world.emit({ type: 'adopted', worker: id, incarnation, pid });
    known.wasRunning = true;
    return;
  }
  if (!known.wasRunning || known.isEndReported) return;
  known.isEndReported = true;
  const { code = exitCode, signal = null } = known.exit ?? {};
  world.emit({ type: 'ended', worker: id, ending: endingOf(exitReason ?? ''), exitCode: code, signal });
}

/** Why slots stay empty although there is work for them. */
function emitWaiting({ world, memory }: ActionContext, facts: FleetFacts): void {
  const { now, slots, ready, room, workers, most, hostEnds = [] } = facts;
  const host = decideRestart({ now, ends: hostEnds, policy: RESTART_POLICIES.host, jitter: jitterOf(facts.host) });
  const hostRest = host.type === 'wait' && host.why !== 'continuation' ? host.untilAt : null;
  once(memory, 'hostResting', String(hostRest), () => {
    if (hostRest !== null) world.emit({ type: 'hostResting', untilAt: hostRest });
  });
  const running = workers.filter(({ worker }) => worker.state !== 'stopped' && worker.state !== 'lost').length;
  const isFull = ready > 0 && room === 0 && running < most;
  once(memory, 'hostFull', String(isFull), () => {
    if (isFull) world.emit({ type: 'hostFull' });
  });
  for (const { slot, isKept, ends } of slots) {
    const jitter = jitterOf(`${slot}:${ends[0]?.startedAt ?? 0}`);
    const restart = decideRestart({ now, ends, policy: RESTART_POLICIES.slot, jitter });
    if (restart.type !== 'wait' || restart.why === 'continuation' || (ready === 0 && !isKept)) continue;
    const event: FleetEvent = { type: 'resting', worker: slot, why: restart.why, untilAt: restart.untilAt };
    once(memory, slot, `${restart.why} ${restart.untilAt}`, () => world.emit(event));
  }
}

function once(memory: FleetMemory, what: string, now: string, emit: (isFirst: boolean) => void): void {
  const before = memory.reported.get(what);
  if (before === now) return;
  memory.reported.set(what, now);
  emit(before === undefined);
}
