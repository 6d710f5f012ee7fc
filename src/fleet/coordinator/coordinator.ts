import type { Unavailable, Worker } from '../../store/types.ts';
import { isSameHost } from '../../system/thisHost.ts';
import type { FleetFacts } from '../decisions/fleetFacts.ts';
import { isOver } from '../decisions/liveness.ts';
import { observerAwakeSince } from '../decisions/observer.ts';
import { decideSlotRestart, hostPausedUntil, shortageNow } from '../decisions/planStarts.ts';
import { planTick } from '../decisions/planTick.ts';
import { pauseForLimitedExits } from './accountPause.ts';
import { carryOut } from './carryOut.ts';
import type { CoordinatorWorld } from './coordinatorWorld.ts';
import { drainUnseen, endUnseen, stillRunning } from './endWorker.ts';
import type { FleetEvent } from './fleetEvent.ts';
import { FleetMemory } from './fleetMemory.ts';
import { FLEET_DEFAULTS, type FleetSettings, isSlotOf } from './fleetSettings.ts';
import { type ActionContext, emitEnd, emitOnce } from './fleetTick.ts';
import { gatherFacts } from './gatherFacts.ts';
import { type Leadership, lead, leaseName } from './leadership.ts';
import { planStrangers } from './planStrangers.ts';
import { endingOf } from './runEnds.ts';
import { readStoreSnapshot, type StoreSnapshot } from './storeSnapshot.ts';

/** Workers that did not end in time, or whose state could not be read. Empty after a clean end. */
export interface CoordinatorEnd {
  readonly left: readonly string[];
}

/** In `left`: what the store had of its workers is not known. */
export const STORE_AWAY = 'the store could not be reached';

interface Seen {
  readonly snapshot: StoreSnapshot;
  readonly leadership: Leadership;
}

interface Shutdown {
  readonly requestedAt: number;
  readonly deadlineAt: number;
}

/** After the shutdown deadline: a store that refuses everything must not keep the coordinator alive. */
const MAX_CHECKS_AFTER_DEADLINE = 3;
/** For a store that answers again: the tasks of ended workers are then handed back. */
const HAND_BACK_WITHIN_MS = 10_000;

/**
 * Runs a fleet: gathers facts, lets `planTick` decide, carries out the actions, waits, repeats. It keeps no state that the next
 * one could not find out: it can be killed and restarted at any time, and several of them do no more than one.
 *
 * leading   → starts, watches, ends and replaces workers.
 * following → watches the leader and takes over when it is gone. If the leader is on another host, it keeps watching the
 *             processes of its own host, which no other coordinator can see.
 * shutting down → drains and ends its workers and hands back their tasks within a window; then it resigns.
 */
export class Coordinator {
  readonly #settings: FleetSettings;
  readonly #world: CoordinatorWorld;
  readonly #memory = new FleetMemory();
  #nap = new AbortController();
  #leadership: Leadership | null = null;
  #checksAfterDeadline = 0;
  /** Since when a shutdown without a store has had nothing left to end. */
  #emptySince: number | null = null;
  /** The store will not answer again. */
  #hasMoved = false;
  /** From the last tick that reached the store. */
  #lastSeen: ActionContext | null = null;
  /** By this process's clock, which may differ from the store's. */
  #shutdown: Shutdown | null = null;

  constructor(settings: FleetSettings, world: CoordinatorWorld) {
    this.#settings = settings;
    this.#world = world;
  }

  /** A second call can shorten the window. */
  shutDown(withinMs = this.#settings.drainTimeoutMs): void {
    const now = this.#world.clock.now();
    const deadlineAt = Math.min(this.#shutdown?.deadlineAt ?? Number.POSITIVE_INFINITY, now + withinMs);
    this.#shutdown = {
      requestedAt: this.#shutdown?.deadlineAt === deadlineAt ? this.#shutdown.requestedAt : now,
      deadlineAt,
    };
    this.#world.emit({ type: 'shuttingDown', withinMs: deadlineAt - now });
    this.#wake();
  }

  /** Runs until it is shut down. */
  async run(): Promise<CoordinatorEnd> {
    const { clock } = this.#world;
    while (true) {
      this.#nap = new AbortController();
      const left = await this.#tick();
      if (left !== null) return this.#end(left);
      await clock.sleep(FLEET_DEFAULTS.everyMs, this.#nap.signal);
    }
  }

  /** One tick; returns the remaining workers when it was the last one, else null. */
  async #tick(): Promise<readonly string[] | null> {
    const seen = await this.#deliverAndRead();
    if (seen === null) return this.#withoutStore();
    const { leadership } = seen;
    const isWatched = leadership.type === 'leading' || !this.#world.isHolderHere(leadership.holder);
    // two coordinators on one host would do everything twice
    this.#lastSeen = null;
    if (!isWatched) return this.#shutdown === null ? null : [];
    const context = await this.#context(seen);
    this.#lastSeen = context;
    emitChanges(context);
    const { facts } = context;
    const actions = [...planTick(facts), ...planStrangers(context)];
    for (const action of actions) await carryOut(context, action);
    await pauseForLimitedExits(context);
    return this.#remaining(facts, actions.length > 0);
  }

  async #withoutStore(): Promise<readonly string[] | null> {
    if (this.#shutdown === null) return null;
    const now = this.#world.clock.now();
    const left = this.#lastSeen === null ? [] : await this.#endUnseen(this.#lastSeen, this.#shutdown, now);
    const isEnding = [...this.#memory.workers.values()].some((known) => known.isEnding);
    if (left.length > 0) return this.#isTimeOver() && !isEnding ? [STORE_AWAY, ...left] : null;
    this.#emptySince ??= now;
    const hasWaited = this.#hasMoved || now - this.#emptySince >= HAND_BACK_WITHIN_MS;
    return hasWaited || this.#isTimeOver() ? [STORE_AWAY] : null;
  }

  async #endUnseen(seen: ActionContext, shutdown: Shutdown, now: number): Promise<readonly string[]> {
    drainUnseen(seen);
    await endUnseen(seen, { now, shutdown });
    return stillRunning(seen).map(({ worker }) => worker.id);
  }

  /** What is read is what the store has after the delivery. */
  async #deliverAndRead(): Promise<Seen | null> {
    const kept = (await this.#world.deliverKept?.()) ?? null;
    if (kept !== null && typeof kept === 'object') return this.#unavailable(kept);
    return this.#read();
  }

  async #read(): Promise<Seen | null> {
    const snapshot = await readStoreSnapshot(this.#world.store, this.#settings);
    if (snapshot.type === 'unavailable') return this.#unavailable(snapshot);
    const leadership = await lead(this.#world, this.#settings, { before: this.#leadership, now: snapshot.now });
    if (leadership.type === 'unavailable') return this.#unavailable(leadership);
    this.#world.noteTime?.(snapshot.now);
    this.#noteCheck(snapshot.now);
    this.#noteLeadership(leadership);
    return { snapshot, leadership };
  }

  /** Emitted once. No worker is judged or ended for it: afterwards each gets a whole window again. */
  #unavailable({ reason, cause, movedTo }: Unavailable): null {
    this.#hasMoved = cause === 'moved';
    const { reported } = this.#memory;
    if (!reported.has('store')) this.#world.emit({ type: 'storeUnavailable', reason, movedTo: movedTo ?? null });
    reported.set('store', reason);
    this.#memory.lastOutageAt = this.#world.clock.now();
    return null;
  }

  #noteCheck(now: number): void {
    const { everyMs } = FLEET_DEFAULTS;
    const { reported, lastCheckAt, awakeSince } = this.#memory;
    const wasAway = reported.delete('store');
    if (wasAway) this.#world.emit({ type: 'storeBack' });
    const since = observerAwakeSince({ now, lastCheckAt, everyMs, awakeSince });
    if (awakeSince !== null && since !== awakeSince && !wasAway) this.#world.emit({ type: 'slept' });
    this.#memory.awakeSince = since;
    this.#memory.lastCheckAt = now;
  }

  #noteLeadership(leadership: Leadership): void {
    this.#leadership = leadership;
    const event: FleetEvent =
      leadership.type === 'leading'
        ? { type: 'leading', epoch: leadership.epoch }
        : { type: 'following', holder: leadership.holder };
    emitOnce({ world: this.#world, memory: this.#memory }, 'leadership', event);
  }

  async #context({ snapshot, leadership }: Seen): Promise<ActionContext> {
    const tick = { settings: this.#settings, world: this.#world, memory: this.#memory, snapshot };
    this.#memory.forgetOthers(snapshot);
    const facts = await gatherFacts(tick, leadership, this.#shutdownAt(snapshot.now));
    return { ...tick, facts, wake: () => this.#wake() };
  }

  #shutdownAt(storeNow: number): FleetFacts['shutdown'] {
    if (this.#shutdown === null) return null;
    const ahead = storeNow - this.#world.clock.now();
    return { requestedAt: this.#shutdown.requestedAt + ahead, deadlineAt: this.#shutdown.deadlineAt + ahead };
  }

  #isTimeOver(): boolean {
    return this.#shutdown !== null && this.#world.clock.now() >= this.#shutdown.deadlineAt;
  }

  /** Null while it continues. The effects of this tick are visible in the next one only. */
  #remaining({ workers, host, shutdown }: FleetFacts, hasActed: boolean): readonly string[] | null {
    if (shutdown === null) return null;
    const here = workers.filter(({ worker }) => isSameHost(worker.host, host));
    const left = here.filter(({ worker, process }) => {
      return !isOver(worker) || process === 'running' || process === 'orphaned';
    });
    const canEnd = left.length === 0 || (this.#isTimeOver() && !left.some(({ isEnding }) => isEnding));
    if (!canEnd) return null;
    // a task handed back in this tick is not left behind, but only the next tick can see that
    if (left.length > 0 && hasActed && this.#checksAfterDeadline++ < MAX_CHECKS_AFTER_DEADLINE) {
      this.#wake();
      return null;
    }
    return left.map(({ worker }) => worker.id);
  }

  async #end(left: readonly string[]): Promise<CoordinatorEnd> {
    const { store, holder, emit } = this.#world;
    if (this.#leadership?.type === 'leading') {
      await store.resign({ name: leaseName(this.#settings.name), holder, epoch: this.#leadership.epoch });
    }
    emit({ type: 'down', left });
    return { left };
  }

  #wake(): void {
    this.#nap.abort('something changed');
  }
}

/** Emits what other processes did and why slots wait, each once. */
function emitChanges(context: ActionContext): void {
  const { settings, facts, snapshot } = context;
  for (const worker of snapshot.workers) {
    if (isSlotOf(settings.name, worker.id)) emitWorkerChange(context, worker);
  }
  emitAccount(context);
  emitShortage(context);
  if (facts.leaderEpoch !== null && facts.shutdown === null) emitWaiting(context);
}

/** Once for each kind of it: its measured value differs at every tick. */
function emitShortage({ world, memory, facts }: ActionContext): void {
  const shortage = shortageNow(facts);
  world.noteShortage?.(shortage);
  if (shortage === null) memory.reported.delete('hostFull');
  else if (memory.reported.get('hostFull') !== shortage.of) {
    memory.reported.set('hostFull', shortage.of);
    world.emit({ type: 'hostFull', shortage });
  }
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
  const { now, slots, ready } = context.facts;
  const untilAt = hostPausedUntil(context.facts);
  emitOnce(context, 'hostResting', untilAt === null ? null : { type: 'hostResting', untilAt });
  for (const { slot, isKept, ends } of slots) {
    const restart = decideSlotRestart(now, { slot, ends });
    if (restart.type !== 'wait' || restart.why === 'continuation' || (ready === 0 && !isKept)) continue;
    emitOnce(context, slot, { type: 'resting', worker: slot, why: restart.why, untilAt: restart.untilAt });
  }
}
