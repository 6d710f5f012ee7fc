import type { FleetFacts } from '../decisions/fleetFacts.ts';
import { observerAwakeSince } from '../decisions/observer.ts';
import { planTick } from '../decisions/planTick.ts';
import { pauseForLimitedExits } from './accountPause.ts';
import type { ActionContext } from './actionContext.ts';
import { carryOut } from './carryOut.ts';
import type { CoordinatorWorld } from './coordinatorWorld.ts';
import { endUnseen } from './endWorker.ts';
import { emptyMemory, type FleetMemory, forgetOthers, incarnationKey } from './fleetMemory.ts';
import { FLEET_DEFAULTS, type FleetSettings } from './fleetSettings.ts';
import { gatherFacts } from './gatherFacts.ts';
import { type Leadership, lead, leaseName } from './leadership.ts';
import { planStrangers } from './planStrangers.ts';
import { readStoreSnapshot, type StoreSnapshot } from './storeSnapshot.ts';
import { tellChanges } from './tellChanges.ts';

/** Workers that could not be put down in time, or that nobody could ask about. Empty after a clean end. */
export interface CoordinatorEnd {
  readonly left: readonly string[];
}

/** When the window of a shutdown is over; a store that refuses everything must not keep us. */
const MOST_LOOKS_AFTERWARDS = 3;

/**
 * Looks after a fleet: gathers facts, lets `planTick` decide, carries that out, waits, looks again. It keeps nothing that the
 * next one could not find out: it can be killed at any time and started again, and several do no more than one.
 *
 * leading   → starts, watches, ends and replaces workers.
 * following → only watches who leads, and takes over when that one is gone. Where the leader is on another host, it goes on
 *             looking after the processes of its own, which nobody else can see.
 * shutting down → whatever it led is drained, ended and handed back inside a window; then it resigns.
 */
export class Coordinator {
  readonly #settings: FleetSettings;
  readonly #world: CoordinatorWorld;
  readonly #memory: FleetMemory = emptyMemory();
  #nap = new AbortController();
  #leadership: Leadership | null = null;
  #looksAfterwards = 0;
  /** What there was to look after when the store was last asked. */
  #lastSeen: ActionContext | null = null;
  /** By our own clock; the store's may be another. */
  #shutdown: { readonly askedAt: number; readonly deadlineAt: number } | null = null;

  constructor(settings: FleetSettings, world: CoordinatorWorld) {
    this.#settings = settings;
    this.#world = world;
  }

  /** Asked again with a shorter window it hurries. */
  shutDown(withinMs = this.#settings.drainTimeoutMs): void {
    const now = this.#world.clock.now();
    const deadlineAt = Math.min(this.#shutdown?.deadlineAt ?? Number.POSITIVE_INFINITY, now + withinMs);
    this.#shutdown = { askedAt: this.#shutdown?.deadlineAt === deadlineAt ? this.#shutdown.askedAt : now, deadlineAt };
    this.#world.tell({ type: 'shuttingDown', withinMs: deadlineAt - now });
    this.#wake();
  }

  /** Until it is shut down. */
  async run(): Promise<CoordinatorEnd> {
    const { clock } = this.#world;
    const { everyMs = FLEET_DEFAULTS.everyMs } = this.#settings;
    while (true) {
      this.#nap = new AbortController();
      const left = await this.#tick();
      if (left !== null) return this.#end(left);
      await clock.sleep(everyMs, this.#nap.signal);
    }
  }

  /** One look and what follows from it; who is left when that was the last one. */
  async #tick(): Promise<readonly string[] | null> {
    const seen = await this.#read();
    if (seen === null) return this.#withoutStore();
    const { leadership } = seen;
    const isWatched = leadership.type === 'leading' || !this.#world.isHolderHere(leadership.holder);
    // two on one host would only do everything twice
    this.#lastSeen = null;
    if (!isWatched) return this.#shutdown === null ? null : [];
    const context = await this.#context(seen);
    this.#lastSeen = context;
    tellChanges(context);
    const { settings, world, memory, facts } = context;
    const actions = [...planTick(facts), ...planStrangers(facts, { settings, world, memory, snapshot: seen.store })];
    for (const action of actions) await carryOut(context, action);
    await pauseForLimitedExits(context);
    return this.#whoIsLeft(facts, actions.length > 0);
  }

  async #withoutStore(): Promise<readonly string[] | null> {
    if (this.#shutdown === null) return null;
    const now = this.#world.clock.now();
    if (this.#lastSeen) await endUnseen(this.#lastSeen, { now, shutdown: this.#shutdown });
    const isEnding = [...this.#memory.workers.values()].some((known) => known.isEnding);
    return this.#isTimeOver() && !isEnding ? ['the store could not be asked'] : null;
  }

  async #read(): Promise<{ readonly store: StoreSnapshot; readonly leadership: Leadership } | null> {
    const store = await readStoreSnapshot(this.#world.store, this.#settings);
    if (store.type === 'unavailable') return this.#unavailable(store.reason);
    const asked = { before: this.#leadership, now: store.now };
    const leadership = await lead(this.#world, this.#settings, asked);
    if (leadership.type === 'unavailable') return this.#unavailable(leadership.reason);
    this.#noteLook(store.now);
    this.#noteLeadership(leadership);
    return { store, leadership };
  }

  /** Said once. Nobody is judged for it, and nothing is ended: after it everybody gets a whole window again. */
  #unavailable(reason: string): null {
    const { told } = this.#memory;
    if (!told.has('store')) this.#world.tell({ type: 'storeUnavailable', reason });
    told.set('store', reason);
    this.#memory.lastOutageAt = this.#world.clock.now();
    return null;
  }

  #noteLook(now: number): void {
    const { everyMs = FLEET_DEFAULTS.everyMs } = this.#settings;
    const { told, lastLookAt, awakeSince } = this.#memory;
    const wasAway = told.delete('store');
    if (wasAway) this.#world.tell({ type: 'storeBack' });
    const since = observerAwakeSince({ now, lastLookAt, everyMs, awakeSince });
    if (awakeSince !== null && since !== awakeSince && !wasAway) this.#world.tell({ type: 'slept' });
    this.#memory.awakeSince = since;
    this.#memory.lastLookAt = now;
  }

  #noteLeadership(leadership: Leadership): void {
    const before = this.#leadership;
    this.#leadership = leadership;
    const { type } = leadership;
    const isNews = type === 'leading' ? before?.type !== type || before.epoch !== leadership.epoch : true;
    if (type === 'leading' && isNews) this.#world.tell({ type, epoch: leadership.epoch });
    if (type === 'following' && (before?.type !== type || before.holder !== leadership.holder)) {
      this.#world.tell({ type, holder: leadership.holder });
    }
  }

  async #context(seen: { readonly store: StoreSnapshot; readonly leadership: Leadership }): Promise<ActionContext> {
    const [settings, world, memory] = [this.#settings, this.#world, this.#memory];
    const workers = new Map(seen.store.workers.map((worker) => [worker.id, worker]));
    const known = [...seen.store.launches.map(({ slot, incarnation }) => incarnationKey(slot, incarnation))];
    const running = seen.store.workers.map(({ id, incarnation }) => incarnationKey(id, incarnation));
    forgetOthers(memory, new Set([...known, ...running]));
    const shutdown = this.#shutdownAt(seen.store.now);
    const { leadership } = seen;
    const facts = await gatherFacts({ settings, world, memory, snapshot: seen.store, leadership, shutdown });
    return { settings, world, memory, facts, workers, wake: () => this.#wake() };
  }

  #shutdownAt(storeNow: number): FleetFacts['shutdown'] {
    if (this.#shutdown === null) return null;
    const ahead = storeNow - this.#world.clock.now();
    return { askedAt: this.#shutdown.askedAt + ahead, deadlineAt: this.#shutdown.deadlineAt + ahead };
  }

  #isTimeOver(): boolean {
    return this.#shutdown !== null && this.#world.clock.now() >= this.#shutdown.deadlineAt;
  }

  /** Null while it goes on. What was done in this look shows in the next one only. */
  #whoIsLeft({ workers, host, shutdown }: FleetFacts, hasActed: boolean): readonly string[] | null {
    if (shutdown === null) return null;
    const here = workers.filter(({ worker }) => worker.host === host);
    const left = here.filter(({ worker, process }) => {
      const isOver = worker.state === 'stopped' || worker.state === 'lost';
      return !isOver || process === 'running' || process === 'orphaned';
    });
    const canEnd = left.length === 0 || (this.#isTimeOver() && !left.some(({ isEnding }) => isEnding));
    if (!canEnd) return null;
    // what was handed back in the last moment is not left behind, but only the next look knows
    if (left.length > 0 && hasActed && this.#looksAfterwards++ < MOST_LOOKS_AFTERWARDS) {
      this.#wake();
      return null;
    }
    return left.map(({ worker }) => worker.id);
  }

  async #end(left: readonly string[]): Promise<CoordinatorEnd> {
    const { store, holder, tell } = this.#world;
    if (this.#leadership?.type === 'leading') {
      await store.resign({ name: leaseName(this.#settings.name), holder, epoch: this.#leadership.epoch });
    }
    tell({ type: 'down', left });
    return { left };
  }

  #wake(): void {
    this.#nap.abort('something changed');
  }
}
